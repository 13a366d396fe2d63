-- The script that TestNeovim runs in Neovim; it prints what Neovim shows.

local function say(...)
  io.stdout:write(string.format(...) .. "\n")
end

-- wait runs the event loop until ready returns true.
local function wait(what, ready)
  if not vim.wait(60000, ready, 20) then
    say("%s: nothing came", what)
    vim.cmd("cquit")
  end
end

local function run()
  -- ask returns the server's answer to a request.
  local function ask(method, params)
    local answers = vim.lsp.buf_request_sync(0, method, params, 60000)
    for _, a in pairs(answers or {}) do
      if a.error then
        error(method .. ": " .. a.error.message)
      end
      return a.result
    end
    error(method .. ": no answer")
  end
  local function attached()
    for _, c in pairs((vim.lsp.get_clients or vim.lsp.get_active_clients)()) do
      return c.initialized and vim.lsp.buf_is_attached(0, c.id)
    end
  end

  vim.cmd("edit own.cat")
  wait("diagnostics", function() return #vim.diagnostic.get(0) > 0 end)
  for _, d in ipairs(vim.diagnostic.get(0)) do
    say("own.cat: %d:%d %s", d.lnum + 1, d.col + 1, d.message)
  end

  vim.cmd("edit SB.litmus")
  wait("the server", attached)
  -- On a slow machine the first lenses say that some models have not answered yet.
  local function lens()
    for _, l in ipairs(vim.lsp.codelens.get(0)) do
      local title = l.command and l.command.title
      if title and not title:match("^tso .- sc %S+"):find("…", 1, true) then
        return title
      end
    end
    vim.lsp.codelens.refresh()
  end
  wait("lenses", lens)
  say("SB.litmus: %s", table.concat(vim.tbl_map(function(d) return d.message end, vim.diagnostic.get(0)), "; "))
  say("lens: %s", lens():match("^tso .- sc %S+"))

  local function at(line, column)
    vim.api.nvim_win_set_cursor(0, { line, column })
    return vim.lsp.util.make_position_params(0, "utf-16")
  end
  say("hover: %s", ask("textDocument/hover", at(4, 2)).contents.value:match("%u+"))
  for _, item in ipairs(ask("textDocument/completion", at(4, 1)).items) do
    if item.label == "MFENCE" then
      say("completion: %s", item.label)
    end
  end
  local definition = ask("textDocument/definition", at(5, 24))
  say("definition: %d", definition.range.start.line + 1)

  at(5, 24)
  vim.lsp.buf.rename("flag")
  wait("a new name", function() return vim.fn.getline(2):find("flag") end)
  local trimmed = vim.tbl_map(vim.trim, { vim.fn.getline(2), vim.fn.getline(4), vim.fn.getline(5) })
  say("renamed: %s", table.concat(trimmed, " / "))
  local edits = ask("textDocument/formatting", vim.lsp.util.make_formatting_params())
  vim.lsp.util.apply_text_edits(edits, 0, "utf-16")
  say("formatted: %s", vim.fn.getline(4))
end

local ok, err = xpcall(run, debug.traceback)
if not ok then
  say("%s", err)
  vim.cmd("cquit")
end
vim.cmd("qall!")
