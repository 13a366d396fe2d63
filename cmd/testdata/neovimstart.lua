-- The script that TestNeovimStarts runs in Neovim: it opens a test, asks the server about an instruction, and exits.

local function quit(...)
  io.stdout:write(string.format(...) .. "\n")
  vim.cmd("cquit")
end

vim.cmd("edit SB.litmus")
local function attached()
  for _, c in pairs((vim.lsp.get_clients or vim.lsp.get_active_clients)()) do
    if c.initialized and vim.lsp.buf_is_attached(0, c.id) then
      return true
    end
  end
end
if not vim.wait(60000, attached, 5) then
  quit("the server does not start")
end
vim.api.nvim_win_set_cursor(0, { 4, 2 })
local answers = vim.lsp.buf_request_sync(0, "textDocument/hover", vim.lsp.util.make_position_params(0, "utf-16"), 60000)
for _, a in pairs(answers or {}) do
  if a.error then
    quit("hover: %s", a.error.message)
  end
  io.stdout:write(string.format("hover: %s\n", a.result.contents.value:match("%u+")))
  vim.cmd("qall!")
end
quit("hover: no answer")
