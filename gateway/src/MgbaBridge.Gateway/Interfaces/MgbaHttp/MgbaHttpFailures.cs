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

    /// <summary>The statuses of an operation's failures, for the reference.</summary>
    public static IReadOnlyList<StatusNote> StatusesOf(Operation operation) =>
    [
        new(StatusCodes.Status502BadGateway, "A command failed, or the emulator cannot be reached."),
        new(StatusCodes.Status504GatewayTimeout, "The emulator does not answer."),
        .. operation.IsEffect ? [CommandFailureKind.Leased] : (StatusNote[])[],
    ];

    /// <summary>The text of a 502 for what the script refuses.</summary>
    public static string ScriptError(string detail) => $"{Error}\n{detail}";

    /// <summary>An operation failed.</summary>
    public static ValueTask WriteAsync(HttpContext http, Failure failure, CompatibilityOptions options)
    {
        if (failure.OfCommand is not { } ofCommand)
        {
            return WriteAsync(http, failure.Kind.Status, failure.Detail);
        }

        if (ofCommand.MayHaveRun)
        {
            Idempotency.NoteMayHaveRun(http);
        }

        if (IsRefusedByTheEmulator(ofCommand))
        {
            return options.SilentRefusals ? PlainText.WriteAsync(http, "") : WriteAsync(http, ofCommand.Status, ofCommand.Detail);
        }

        var (status, sentence) = ofCommand.Kind switch
        {
            CommandFailureKind.Leased => (ofCommand.Status, null),
            CommandFailureKind.NotOurs or CommandFailureKind.WrongVersion => (StatusCodes.Status502BadGateway, null), // mGBA-http's sentence would name the script that is to be replaced
            CommandFailureKind.Rejected when ofCommand.Code == ErrorCode.Forbidden => (ofCommand.Status, null),
            CommandFailureKind.Rejected when ofCommand.Code is ErrorCode.AuthFailed or ErrorCode.AuthMismatch or ErrorCode.AuthMissing or ErrorCode.AuthRequired => (StatusCodes.Status502BadGateway, NoContact),
            _ when ofCommand.Code is not null => (StatusCodes.Status502BadGateway, Error),
            CommandFailureKind.Overloaded => (StatusCodes.Status504GatewayTimeout, NotReached),
            CommandFailureKind.Silent or CommandFailureKind.ReplyTimedOut => (StatusCodes.Status504GatewayTimeout, NoResponse),
            CommandFailureKind.ReplyTooLarge => (StatusCodes.Status502BadGateway, Error),
            _ => (StatusCodes.Status502BadGateway, NoContact),
        };
        return WriteAsync(http, status, sentence is null ? Problems.DetailOf(ofCommand) : $"{sentence}\n{ofCommand.Detail}");
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
    private static bool IsRefusedByTheEmulator(CommandFailure failure) => failure.Code is ErrorCode.Failed or ErrorCode.NotFound or ErrorCode.NotAState;
}
