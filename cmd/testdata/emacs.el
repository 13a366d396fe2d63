;; The script that TestEmacs runs in Emacs; it prints what Emacs shows.

(package-initialize)
(setq litmuscope-command (list (getenv "LITMUSCOPE") "lsp")
      eglot-sync-connect t
      eglot-confirm-server-initiated-edits nil
      make-backup-files nil)
(load (getenv "SETTINGS") nil t)

(defun await (what ready)
  "Run the event loop until READY."
  (with-timeout (60 (error "%s: nothing came" what))
    (while (not (funcall ready)) (accept-process-output nil 0.05))))

(defun opened (file)
  "Visit FILE, as the server manages it."
  (find-file file)
  (run-hooks 'post-command-hook)        ; `eglot-ensure' waits for this hook
  (await "the server" #'eglot-managed-p)
  (flymake-start))                      ; without a display, showing a buffer does not start it

(defun say (format &rest args)
  (princ (concat (apply #'format format args) "\n")))

(defun problems ()
  (mapconcat (lambda (d) (format "%d:%s %s" (line-number-at-pos (flymake-diagnostic-beg d))
                                 (buffer-substring (flymake-diagnostic-beg d) (flymake-diagnostic-end d))
                                 (string-trim-left (flymake-diagnostic-text d) "litmuscope: ")))
             (flymake-diagnostics) "; "))

(defun line (n)
  (save-excursion (goto-char (point-min)) (forward-line (1- n))
                  (string-trim-right (buffer-substring (point) (line-end-position)))))

(opened "own.cat")
(await "diagnostics" #'flymake-diagnostics)
(say "%s: %s" major-mode (problems))

(opened "SB.litmus")
(await "diagnostics" #'flymake-diagnostics)
(say "%s: %s" major-mode (problems))
(goto-char (flymake-diagnostic-beg (car (flymake-diagnostics))))
(eglot-code-actions (point) nil "quickfix" t)
(await "the fix" (lambda () (string-match-p "MOV" (line 4))))
(say "mended: %s" (line 4))
(eglot--signal-textDocument/didChange)  ; nobody is idle here, which it waits for
(flymake-start)
(await "no diagnostics" (lambda () (null (flymake-diagnostics))))
(goto-char (point-min))
(search-forward "EAX,[y")
(backward-char)
(call-interactively #'xref-find-definitions)
(say "definition: %d" (line-number-at-pos))
(eglot-rename "flag")
(say "renamed: %s / %s" (line 2) (line 5))
(eglot-format-buffer)
(say "formatted: %s" (line 4))
(goto-char (point-min))
(search-forward "MOV [flag],$1")
(replace-match "MFE")
(completion-at-point)
(say "completed: %s" (line 4))
(set-buffer-modified-p nil)
