using MgbaBridge.Gateway.Operations;

namespace MgbaBridge.Gateway.Interfaces.Http;

/// <summary>A response that only HTTP has: a stream, a file that is made for it, or a connection that speaks another protocol afterwards.</summary>
/// <param name="SendAsync">Sends it. Returns why there is none, when nothing was sent.</param>
internal sealed record HttpResult(Func<HttpContext, Task<Failure?>> SendAsync);
