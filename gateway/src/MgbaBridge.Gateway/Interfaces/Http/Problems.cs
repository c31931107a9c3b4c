using System.Globalization;
using System.Text.Json.Serialization;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Operations.Emulators;
using MgbaBridge.Gateway.Operations.Lease;
using MgbaBridge.Gateway.Security;
using Microsoft.AspNetCore.Connections;

namespace MgbaBridge.Gateway.Interfaces.Http;

/// <summary>Failures to HTTP, all in one form.</summary>
internal static class Problems
{
    private const string ContentType = "application/problem+json";

    /// <summary>A command failed.</summary>
    public static ValueTask WriteAsync(HttpContext http, string? emulator, CommandFailure failure)
    {
        var rule = failure.Rule;
        if (rule.RetryAfter is { } retryAfter)
        {
            http.Response.Headers.RetryAfter = Math.Ceiling(retryAfter.TotalSeconds).ToString(CultureInfo.InvariantCulture);
        }

        return WriteAsync(http, Of(failure, emulator, Correlation.Of(http), operation => PathOf(http, operation)));
    }

    /// <summary>A command failed.</summary>
    public static Problem Of(CommandFailure failure, string? emulator, string trace, Func<Operation, string>? nameOf = null)
    {
        var rule = failure.Rule;
        return new Problem(rule.ProblemType, rule.Title, failure.Status, DetailOf(failure, nameOf), failure.CodeName, failure.MayHaveRun, emulator, trace)
        {
            Next = failure.Kind == CommandFailureKind.Leased ? LeaseOperations.Release.Name : null,
        };
    }

    /// <summary>What was found, and what to do. The script does not know how a lease of another is ended.</summary>
    public static string DetailOf(CommandFailure failure, Func<Operation, string>? nameOf = null) => failure.Kind == CommandFailureKind.Leased
        ? $"{failure.Detail.TrimEnd('.')}. An owner ends it with {(nameOf ?? PathOf)(LeaseOperations.Release)} without {HolderHeader.Name}, or with End control on the page."
        : failure.Detail;

    /// <summary>An operation failed.</summary>
    public static ValueTask WriteAsync(HttpContext http, string? emulator, Failure failure) => failure.OfCommand is { } ofCommand
        ? WriteAsync(http, emulator, ofCommand)
        : WriteAsync(http, Of(failure, emulator, Correlation.Of(http), operation => PathOf(http, operation)));

    /// <summary>An operation failed.</summary>
    public static ValueTask WriteAsync(HttpContext http, FailureKind kind, string detail) => WriteAsync(http, null, new Failure(kind, detail));

    /// <summary>An operation failed.</summary>
    /// <param name="failure">Why.</param>
    /// <param name="emulator">Which emulator, or null.</param>
    /// <param name="trace">What to quote when asking for help.</param>
    /// <param name="nameOf">How the interface names the operation that helps; HTTP by its method and path.</param>
    public static Problem Of(Failure failure, string? emulator, string trace, Func<Operation, string>? nameOf = null) => failure.OfCommand is { } ofCommand
        ? Of(ofCommand, emulator, trace, nameOf)
        : new Problem(FailureRule.TypeOf(failure.Kind.Name), failure.Kind.Title, failure.Kind.Status, failure.Explain(nameOf ?? PathOf), null, false, null, trace)
        {
            Next = failure.Next?.Operation?.Name,
        };

    /// <summary>The caller's request is wrong, and nothing was sent.</summary>
    public static Problem BadRequest(string detail, string trace) => Of(Failure.BadRequest(detail), null, trace);

    /// <summary>A request failed inside the gateway: <c>memory-full</c> if there was no memory for it, which is no defect, otherwise <c>defect</c>.</summary>
    /// <param name="exception">How it failed.</param>
    /// <param name="trace">What to quote when asking for help.</param>
    /// <param name="mayHaveRun">Whether it was one with side effects: nobody knows what was done.</param>
    public static Problem Of(Exception exception, string trace, bool mayHaveRun) =>
        Of(IsDefect(exception) ? new Failure(FailureKind.Defect, exception.Message) : Failure.NoMemory(), null, trace) with { MayHaveRun = mayHaveRun };

    /// <summary>Whether an exception that nothing expected is to be logged and reported.</summary>
    public static bool IsDefect(Exception exception) => exception is not OutOfMemoryException;

    /// <summary>The caller's request is wrong, and nothing was sent.</summary>
    public static ValueTask BadRequestAsync(HttpContext http, string detail) =>
        WriteAsync(http, BadRequest(detail, Correlation.Of(http)));

    /// <summary>Whether an exception says that the body cannot be read.</summary>
    public static bool IsOfTheBody(Exception exception) => exception is BadHttpRequestException or ConnectionResetException;

    /// <summary>The server stopped reading the body: it is too long, cut short, or wrongly framed. No response is written if the connection was reset.</summary>
    public static ValueTask BadBodyAsync(HttpContext http, IOException exception, Func<HttpContext, Problem, ValueTask> write)
    {
        if (exception is not BadHttpRequestException bad)
        {
            http.Abort();
            return default;
        }

        var failure = bad.StatusCode == StatusCodes.Status413PayloadTooLarge
            ? new Failure(FailureKind.TooLarge, $"The body has more than the {http.RequestServices.GetRequiredService<HttpOptions>().MaxBody} bytes that Bridge:Http:MaxBody allows.")
            : Failure.BadRequest(bad.Message);
        return write(http, Of(failure, null, Correlation.Of(http)));
    }

    /// <summary>There is no such emulator.</summary>
    public static ValueTask NoSuchEmulatorAsync(HttpContext http) => WriteAsync(http, NoSuchEmulator(http));

    /// <summary>There is no such emulator.</summary>
    public static Problem NoSuchEmulator(HttpContext http)
    {
        var id = http.Request.RouteValues[HttpRequests.IdRoute] as string;
        var failure = http.Caller().Owner is null && http.Single<EmulatorRegistry>().Unusable.FirstOrDefault(script => script.Id == id) is { } script
            ? new Failure(FailureKind.NoSuchEmulator, $"The script on port {script.Port} cannot be used: {script.Detail}")
            : EmulatorOperations.NoSuchEmulator(id);
        return Of(failure, null, Correlation.Of(http), operation => PathOf(http, operation));
    }

    /// <summary>The caller's token has a role that is not enough.</summary>
    public static ValueTask RoleNeededAsync(HttpContext http, Role needed) => WriteAsync(http, null, Failure.RoleNeeded(needed, http.Caller().Role));

    /// <summary>A request failed inside the gateway.</summary>
    public static Problem Of(HttpContext http, Exception exception) => Of(exception, Correlation.Of(http), mayHaveRun: !HttpMethods.IsGet(http.Request.Method));

    private static string PathOf(Operation operation) => $"{operation.Method} {operation.Path}";

    // what helps is for the emulator of the request
    private static string PathOf(HttpContext http, Operation operation) =>
        operation.IsPerEmulator && http.Request.Path.StartsWithSegments(HttpRequests.EachEmulator) && http.Request.RouteValues[HttpRequests.IdRoute] is string id
            ? $"{operation.Method} {HttpRequests.EachEmulator}/{id}{operation.Path}" : PathOf(operation);

    /// <summary>A problem.</summary>
    public static ValueTask WriteAsync(HttpContext http, Problem problem)
    {
        http.Response.StatusCode = problem.Status;
        http.Response.Headers[Correlation.Header] = problem.TraceId;
        if (problem.MayHaveRun)
        {
            Idempotency.NoteMayHaveRun(http);
        }

        return JsonBody.WriteAsync(http, problem with { Detail = ShownText.For(http.Caller(), problem.Detail) }, ProblemJson.Default.Problem, ContentType);
    }
}

/// <summary>A failure as RFC 9457 has it.</summary>
/// <param name="Type">Which kind of failure; programs decide by this.</param>
/// <param name="Title">The kind in words, always the same.</param>
/// <param name="Status">The HTTP status.</param>
/// <param name="Detail">What was found, and what to do or which setting to change.</param>
/// <param name="Code">The script's own code when it refused, such as <c>bad-address</c>.</param>
/// <param name="MayHaveRun">Whether the command may have had its effect.</param>
/// <param name="Emulator">Which emulator.</param>
/// <param name="TraceId">What to quote when asking for help.</param>
public sealed record Problem(
    string Type,
    string Title,
    int Status,
    string Detail,
    string? Code,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] bool MayHaveRun,
    string? Emulator,
    string TraceId)
{
    /// <summary>The operation that helps, which the detail names, or null.</summary>
    public string? Next { get; init; }
}
