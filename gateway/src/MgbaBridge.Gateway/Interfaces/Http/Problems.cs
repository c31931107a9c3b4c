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

    /// <summary>A request to an emulator failed.</summary>
    public static ValueTask WriteAsync(HttpContext http, string? emulator, FailureReport failure)
    {
        var rule = failure.Rule;
        if (rule.RetryAfter is { } retryAfter)
        {
            http.Response.Headers.RetryAfter = Math.Ceiling(retryAfter.TotalSeconds).ToString(CultureInfo.InvariantCulture);
        }

        return WriteAsync(http, Of(failure, emulator, Correlation.Of(http), operation => PathOf(http, operation)));
    }

    /// <summary>A request to an emulator failed.</summary>
    public static Problem Of(FailureReport failure, string? emulator, string trace, Func<Operation, string>? nameOf = null)
    {
        var rule = failure.Rule;
        return new Problem(rule.ProblemType, rule.Title, failure.Status, DetailOf(failure, nameOf), failure.CodeName, failure.MayHaveRun, emulator, trace)
        {
            Next = failure.Failure == Failure.Leased ? LeaseOperations.Release.Name : null,
        };
    }

    /// <summary>What was found, and what to do. The script does not know how a lease of another is ended.</summary>
    public static string DetailOf(FailureReport failure, Func<Operation, string>? nameOf = null) => failure.Failure == Failure.Leased
        ? $"{failure.Detail.TrimEnd('.')}. An owner ends it with {(nameOf ?? PathOf)(LeaseOperations.Release)} without {HolderHeader.Name}, or with End control on the page."
        : failure.Detail;

    /// <summary>An operation was refused.</summary>
    public static ValueTask WriteAsync(HttpContext http, string? emulator, Refusal refusal) => refusal.Failure is { } failure
        ? WriteAsync(http, emulator, failure)
        : WriteAsync(http, Of(refusal, emulator, Correlation.Of(http), operation => PathOf(http, operation)));

    /// <summary>An operation was refused.</summary>
    public static ValueTask WriteAsync(HttpContext http, RefusalKind kind, string detail) => WriteAsync(http, null, new Refusal(kind, detail));

    /// <summary>An operation was refused.</summary>
    /// <param name="refusal">Why.</param>
    /// <param name="emulator">Which emulator, or null.</param>
    /// <param name="trace">What to quote when asking for help.</param>
    /// <param name="nameOf">How the interface names the operation that helps; HTTP by its method and path.</param>
    public static Problem Of(Refusal refusal, string? emulator, string trace, Func<Operation, string>? nameOf = null) => refusal.Failure is { } failure
        ? Of(failure, emulator, trace, nameOf)
        : new Problem(FailureRule.TypeOf(refusal.Kind.Name), refusal.Kind.Title, refusal.Kind.Status, refusal.Explain(nameOf ?? PathOf), null, false, null, trace)
        {
            Next = refusal.Next?.Operation?.Name,
        };

    /// <summary>The caller's request is wrong, and nothing was sent.</summary>
    public static Problem BadRequest(string detail, string trace) => Of(Refusal.BadRequest(detail), null, trace);

    /// <summary>A request failed inside the gateway: <c>memory-full</c> if there was no memory for it, which is no defect, otherwise <c>defect</c>.</summary>
    /// <param name="exception">How it failed.</param>
    /// <param name="trace">What to quote when asking for help.</param>
    /// <param name="mayHaveRun">Whether it was one with side effects: nobody knows what was done.</param>
    public static Problem Of(Exception exception, string trace, bool mayHaveRun) =>
        Of(IsDefect(exception) ? new Refusal(RefusalKind.Defect, exception.Message) : Refusal.NoMemory(), null, trace) with { MayHaveRun = mayHaveRun };

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

        var refusal = bad.StatusCode == StatusCodes.Status413PayloadTooLarge
            ? new Refusal(RefusalKind.TooLarge, $"The body has more than the {http.RequestServices.GetRequiredService<HttpOptions>().MaxBody} bytes that Bridge:Http:MaxBody allows.")
            : Refusal.BadRequest(bad.Message);
        return write(http, Of(refusal, null, Correlation.Of(http)));
    }

    /// <summary>There is no such emulator.</summary>
    public static ValueTask NoSuchEmulatorAsync(HttpContext http) => WriteAsync(http, NoSuchEmulator(http));

    /// <summary>There is no such emulator.</summary>
    public static Problem NoSuchEmulator(HttpContext http)
    {
        var id = http.Request.RouteValues[HttpRequests.IdRoute] as string;
        var refusal = http.Caller().Owner is null && http.Single<EmulatorRegistry>().Unusable.FirstOrDefault(script => script.Id == id) is { } script
            ? new Refusal(RefusalKind.NoSuchEmulator, $"The script on port {script.Port} cannot be used: {script.Detail}")
            : EmulatorOperations.NoSuchEmulator(id);
        return Of(refusal, null, Correlation.Of(http), operation => PathOf(http, operation));
    }

    /// <summary>The caller's token has a role that is not enough.</summary>
    public static ValueTask RoleNeededAsync(HttpContext http, Role needed) => WriteAsync(http, null, Refusal.RoleNeeded(needed, http.Caller().Role));

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
