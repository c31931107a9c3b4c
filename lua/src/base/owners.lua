-- Owners: to whom what a request holds (levels, taps, freezes, the lease) belongs. It ends with its owner.

local owners = {}

--- The owner of requests with `owner=name` of a session or connection. Without a name it is the session or connection itself.
function owners.of(whole, name)
  if not name then
    return whole
  end
  whole.owners = whole.owners or setmetatable({}, { __mode = "v" }) -- only what somebody holds keeps an owner
  local owner = whole.owners[name] or { within = whole }
  whole.owners[name] = owner
  return owner
end

--- Whether what belongs to `owner` ends with `whole`: the same one, or the session or connection of it.
function owners.includes(whole, owner)
  return owner == whole or (owner ~= nil and owner.within == whole)
end

return owners
