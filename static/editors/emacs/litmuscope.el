;;; litmuscope.el --- Litmus tests and memory models -*- lexical-binding: t -*-

;; Emacs 29 or newer, or Emacs 28 with the package eglot: (load "/path/to/litmuscope.el"), or with `use-package'.
;; Eglot shows errors, fixes them, completes, formats, renames, and finds definitions.

(require 'eglot)

(defvar litmuscope-command '("litmuscope" "lsp")
  "The command that answers for litmus tests and models.")

(defvar litmuscope-syntax
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?\( "()1n" table)
    (modify-syntax-entry ?\) ")(4n" table)
    (modify-syntax-entry ?* ". 23n" table)
    (modify-syntax-entry ?_ "_" table)
    table)
  "Comments are between (* and *), and may be nested.")

(define-derived-mode litmuscope-test-mode prog-mode "Litmus"
  "Major mode for litmus tests."
  :syntax-table litmuscope-syntax
  (setq-local comment-start "(* " comment-end " *)"))

(define-derived-mode litmuscope-model-mode prog-mode "Cat"
  "Major mode for memory models in cat and bell."
  :syntax-table litmuscope-syntax
  (setq-local comment-start "(* " comment-end " *)"))

(add-to-list 'auto-mode-alist '("\\.litmus\\'" . litmuscope-test-mode))
(add-to-list 'auto-mode-alist '("\\.\\(cat\\|bell\\)\\'" . litmuscope-model-mode))
(add-to-list 'eglot-server-programs
             `(((litmuscope-test-mode :language-id "litmus") (litmuscope-model-mode :language-id "cat"))
               . ,litmuscope-command))
(add-hook 'litmuscope-test-mode-hook #'eglot-ensure)
(add-hook 'litmuscope-model-mode-hook #'eglot-ensure)

(provide 'litmuscope)
;;; litmuscope.el ends here
