/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signs a module with libcrypto, as the kernel expects it: a detached CMS message without attributes or certificates at the
 * end of the file, a structure with its length, and a marker.
 */
#include "translator/module/build.h"

#include <openssl/bio.h>
#include <openssl/cms.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <stdlib.h>
#include <string.h>


enum {
	ID_PKCS7 = 2, /* the only kind of signature that the kernel takes */
	KIND_AT = 2,  /* where the structure has it */
};

/* Reports the first fault that libcrypto noted. False. */
static bool crypto_error(const char *what, const char *path)
{
	unsigned long code = ERR_peek_error();
	const char *reason = code ? ERR_reason_error_string(code) : NULL;

	ERR_clear_error();
	return error(nowhere, DIAG_SIGN, "cannot %s '%s': %s", what, path, reason ? reason : "libcrypto does not say why");
}

/* A key with a passphrase never makes us ask on the terminal. */
static int passphrase(char *buf, int size, int writing, void *unused)
{
	const char *pin = getenv("KBUILD_SIGN_PIN");
	size_t len = pin ? strlen(pin) : 0;

	if (!pin || len >= (size_t)size)
		return -1;
	memcpy(buf, pin, len + 1);
	return (int)len;
}

static EVP_PKEY *read_key(const char *path)
{
	BIO *file = BIO_new_file(path, "rb");
	EVP_PKEY *key = file ? PEM_read_bio_PrivateKey(file, NULL, passphrase, NULL) : NULL;

	BIO_free(file);
	if (!key)
		crypto_error("read the private key", path);
	return key;
}

/* PEM or DER. */
static X509 *read_cert(const char *path)
{
	BIO *file = BIO_new_file(path, "rb");
	X509 *cert = file ? PEM_read_bio_X509(file, NULL, NULL, NULL) : NULL;

	if (file && !cert) {
		ERR_clear_error();
		BIO_reset(file);
		cert = d2i_X509_bio(file, NULL);
	}
	BIO_free(file);
	if (!cert)
		crypto_error("read the certificate", path);
	return cert;
}

/* Appends the signature of MODULE to it. False: libcrypto noted why. */
static bool append_signature(struct text *module, const EVP_MD *digest, EVP_PKEY *key, X509 *cert)
{
	const unsigned flags = CMS_NOCERTS | CMS_PARTIAL | CMS_BINARY | CMS_DETACHED | CMS_STREAM;
	CMS_ContentInfo *cms = CMS_sign(NULL, NULL, NULL, NULL, flags);
	BIO *data = BIO_new_mem_buf(module->buf, (int)module->len);
	unsigned char *der = NULL, info[12] = { [KIND_AT] = ID_PKCS7 };
	int len = 0;

	if (cms && data &&
	    CMS_add1_signer(cms, cert, key, digest, CMS_NOCERTS | CMS_BINARY | CMS_NOSMIMECAP | CMS_NOATTR) &&
	    CMS_final(cms, data, NULL, CMS_NOCERTS | CMS_BINARY))
		len = i2d_CMS_ContentInfo(cms, &der);
	if (len > 0) {
		for (int i = 0; i < 4; i++)
			info[8 + i] = (unsigned char)(len >> (24 - 8 * i));
		text_append(module, (const char *)der, (size_t)len);
		text_append(module, (const char *)info, sizeof(info));
		text_puts(module, "~Module signature appended~\n");
	}
	OPENSSL_free(der);
	BIO_free(data);
	CMS_ContentInfo_free(cms);
	return len > 0;
}

bool sign_with_libcrypto(const char *digest, const char *key_path, const char *cert_path, const char *ko)
{
	EVP_PKEY *key = read_key(key_path);
	X509 *cert = key ? read_cert(cert_path) : NULL;
	const EVP_MD *md = EVP_get_digestbyname(digest);
	_cleanup_text_ struct text module = { 0 };
	bool ok = false;
	int rc;

	if (!key || !cert)
		goto out;
	if (!md) {
		error(nowhere, DIAG_SIGN, "libcrypto has no digest '%s'", digest);
	} else if (!text_read_file(&module, ko)) {
		error(nowhere, DIAG_SIGN, "cannot read the module '%s'", ko);
	} else if (!append_signature(&module, md, key, cert)) {
		crypto_error("sign the module", ko);
	} else {
		rc = text_write_file(&module, ko);
		ok = rc >= 0;
		if (!ok)
			error(nowhere, DIAG_SIGN, "cannot write the module '%s': %s", ko, strerror(-rc));
	}
out:
	X509_free(cert);
	EVP_PKEY_free(key);
	return ok;
}
