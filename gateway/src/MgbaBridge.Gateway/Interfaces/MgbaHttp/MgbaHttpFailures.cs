using MgbaBridge.Client.Commands;
using MgbaBridge.Gateway.Interfaces.Http;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Security;

namespace MgbaBridge.Gateway.Interfaces.MgbaHttp;

/// <summary>
/// Writes failures with mGBA-http's status. The first line is mGBA-http's text, the second one the gateway's detail; failures that mGBA-http
/// does not have consist of the detail only.
/// </summary>
internal static class MgbaHttpFailures
{
    /// <summary>The content type of failures: unlike that of answers, it names no charset.</summary>
    private const string ContentType = "text/plain";

    private const string NoContact = "Could not communicate with mGBA. Is mGBA running with mGBASocketServer.lua loaded?";
    private const string NotReached = "Could not reach mGBA within 3000ms. Is mGBA running with the Lua script loaded?";
    private const string NoResponse = "No response from mGBA within 3000ms. Is mGBA running with the Lua script loaded?";
    private const string Error = "Error executing command. See mGBA scripting window for details.";

    /// <summary>The text of a 502 for what the script refuses.</summary>
    public static string ScriptError(string detail) => $"{Error}\n{detail}";

    /// <summary>An operation was refused.</summary>
    public static ValueTask WriteAsync(HttpContext http, Refusal refusal, CompatibilityOptions options)
    {
        if (refusal.Failure is not { } failure)
        {
            return WriteAsync(http, refusal.Kind.Status, refusal.Detail);
        }

        if (failure.MayHaveRun)
        {
            Idempotency.NoteMayHaveRun(http);
        }

        if (IsRefusalOfTheEmulator(failure))
        {
            return options.SilentRefusals ? PlainText.WriteAsync(http, "") : WriteAsync(http, failure.Status, failure.Detail);
        }

        var (status, sentence) = failure.Failure switch
        {
            Failure.Leased => (failure.Status, null),
            Failure.NotOurs or Failure.WrongVersion => (StatusCodes.Status502BadGateway, null), // mGBA-http's sentence would name the script that is to be replaced
            Failure.Rejected when failure.Code == RefusalCode.Forbidden => (failure.Status, null),
            Failure.Rejected when failure.Code is RefusalCode.AuthFailed or RefusalCode.AuthMismatch or RefusalCode.AuthMissing or RefusalCode.AuthRequired => (StatusCodes.Status502BadGateway, NoContact),
            _ when failure.Code is not null => (StatusCodes.Status502BadGateway, Error),
            Failure.Overloaded => (StatusCodes.Status504GatewayTimeout, NotReached),
            Failure.Silent or Failure.ReplyTimedOut => (StatusCodes.Status504GatewayTimeout, NoResponse),
            Failure.ReplyTooLarge => (StatusCodes.Status502BadGateway, Error),
            _ => (StatusCodes.Status502BadGateway, NoContact),
        };
        return WriteAsync(http, status, sentence is null ? Problems.DetailOf(failure) : $"{sentence}\n{failure.Detail}");
    }

    /// <summary>A request failed before its operation ran, or inside the gateway.</summary>
    public static ValueTask WriteAsync(HttpContext http, Problem problem)
    {
        if (problem.MayHaveRun)
        {
            Idempotency.NoteMayHaveRun(http);
        }

        return WriteAsync(http, problem.Status, problem.Detail);
    }

    /// <summary>Any failure.</summary>
    public static ValueTask WriteAsync(HttpContext http, int status, string text)
    {
        http.Response.StatusCode = status;
        return PlainText.WriteAsync(http, ShownText.For(http.Caller(), text), ContentType);
    }

    /// <summary>Whether the emulator refused with <c>false</c> or <c>nil</c>, for which mGBA-http returns an empty body.</summary>
    private static bool IsRefusalOfTheEmulator(FailureReport failure) => failure.Code is RefusalCode.Failed or RefusalCode.NotFound or RefusalCode.NotAState;
}
