using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Api.Http;

/// <summary>Identifies callers. HTTP callers share connections to the script, so a header names the holder of keys and leases.</summary>
internal static class Callers
{
    /// <summary>The header that names the holder.</summary>
    public const string HolderHeader = "Mgba-Holder";

    /// <summary>What the header may say.</summary>
    public const string HolderFormatHint = $"{HolderHeader} has to be 1 to 64 of A-Z a-z 0-9 _ . : -.";

    /// <summary>The holder the caller names, or the one that all share who name none. False if the name cannot be one.</summary>
    public static bool TryOptions(HttpContext http, out RequestOptions options, TimeSpan? timeout = null)
    {
        var holder = Holder.Http;
        if (http.Request.Headers.TryGetValue(HolderHeader, out var name) && !Holder.TryCreate(name.ToString(), out holder))
        {
            options = default;
            return false;
        }

        options = new RequestOptions { Holder = holder, Timeout = timeout };
        return true;
    }

    /// <summary>Sends an effect in the caller's name, or answers 400 when the name cannot be one.</summary>
    public static Task SendAsCallerAsync<TCommand>(
        this HttpContext http, TCommand command, Func<HttpContext, TCommand, Reply, ValueTask> answer, TimeSpan? timeout = null)
        where TCommand : struct, ICommand<TCommand> => TryOptions(http, out var options, timeout)
            ? http.SendAsync(command, answer, options)
            : Problems.BadRequestAsync(http, HolderFormatHint).AsTask();

    /// <summary>The answer of an effect that has nothing to tell but when it ran.</summary>
    public static ValueTask DoneAsync<TCommand>(HttpContext http, TCommand command, Reply reply) =>
        JsonBody.WriteAsync(http, new DoneAnswer(reply.Frame, reply.Epoch), BridgeJson.Default.DoneAnswer);
}
