// SPDX-License-Identifier: GPL-2.0-or-later
// The program of examples/go-http.stp: a server that knows one page.
package main

import "net/http"

func main() {
	http.HandleFunc("/index.html", func(w http.ResponseWriter, r *http.Request) { w.Write([]byte("hello\n")) })
	http.ListenAndServe("127.0.0.1:7089", nil)
}
