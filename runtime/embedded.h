/* What embedded C of a script may use: the macros of SystemTap's interface that do not depend on the function. Included
 * at the end of generated C, by embedded.h of the kit or of the user runtime, which add their headers.
 */
#ifndef KT_EMBEDDED_H
#define KT_EMBEDDED_H

#define MAXSTRINGLEN KT_STR
#define CONTEXT c

/* Ends the function with an error. */
#define STAP_ERROR(...)                                                   \
	do {                                                              \
		snprintf(c->message, sizeof(c->message), __VA_ARGS__);    \
		kt_error(c, c->message);                                  \
		goto out;                                                 \
	} while (0)

/* Declines: the next overload is called. */
#define STAP_NEXT                                                         \
	do {                                                              \
		c->flags |= KT_CTX_DECLINED;                              \
		goto out;                                                 \
	} while (0)

/* Text to the session's output. */
#define STAP_PRINTF(...)                                                                             \
	do {                                                                                         \
		char kt_text_[512];                                                                  \
		kt_u32 kt_len_;                                                                      \
		void *kt_room_;                                                                      \
                                                                                                     \
		snprintf(kt_text_, sizeof(kt_text_), __VA_ARGS__);                                   \
		kt_len_ = kt_strlen(kt_text_);                                                       \
		kt_room_ = kt_reserve(c, KT_REC_PRINT, KT_EMBEDDED_FORMAT, kt_string_room(kt_len_)); \
		if (kt_room_) {                                                                      \
			kt_put_string(kt_room_, kt_text_, kt_len_);                                  \
			kt_commit(c);                                                                \
		}                                                                                    \
	} while (0)

#endif
