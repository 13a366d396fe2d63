-- Litmus tests and memory models in Neovim (0.7 or newer): the language server litmuscope lsp.
-- Put this folder (static/editors/neovim) in 'runtimepath', or copy this file into ~/.config/nvim/plugin.
--
-- vim.g.litmuscope_command is the command, { "litmuscope", "lsp" } unless it is set before.
-- vim.g.litmuscope_filetypes lists the file types that it handles; add "c" to verify C programs, too.

local command = vim.g.litmuscope_command or { "litmuscope", "lsp" }
local filetypes = vim.g.litmuscope_filetypes or { "litmus", "cat", "bell" }

vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, {
  pattern = { "*.litmus", "*.cat", "*.bell" },
  callback = function(args)
    vim.bo[args.buf].filetype = vim.fn.fnamemodify(args.file, ":e")
  end,
})

local client

-- start starts one server for all buffers, also in versions of Neovim without vim.lsp.start.
local function start(buffer)
  local config = { name = "litmuscope", cmd = command, root_dir = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ":p:h") }
  if vim.lsp.start then
    vim.lsp.start(config, { bufnr = buffer, reuse_client = function(other) return other.name == "litmuscope" end })
    return
  end
  if not client or vim.lsp.client_is_stopped(client) then
    client = vim.lsp.start_client(config)
  end
  if client then
    vim.lsp.buf_attach_client(buffer, client)
  end
end

vim.api.nvim_create_autocmd("FileType", {
  pattern = filetypes,
  callback = function(args)
    vim.bo[args.buf].commentstring = args.match == "c" and "// %s" or "(* %s *)"
    start(args.buf)
  end,
})

-- Verdicts appear next to conditions. They are updated when a text is opened or saved, or after a pause.
vim.api.nvim_create_autocmd({ "BufEnter", "BufWritePost", "CursorHold", "InsertLeave" }, {
  pattern = "*.litmus",
  callback = function(args)
    local get = vim.lsp.get_clients or vim.lsp.get_active_clients
    for _, c in pairs(get()) do
      if c.name == "litmuscope" and c.initialized and vim.lsp.buf_is_attached(args.buf, c.id) then
        vim.lsp.codelens.refresh()
        return
      end
    end
  end,
})
