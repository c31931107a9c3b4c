using System.Text.Json.Serialization;

namespace MgbaBridge.Http;

/// <summary>A request that failed. Its message is one sentence that says what is wrong and what to change.</summary>
public sealed class GatewayException : Exception
{
    /// <summary>The <see cref="Kind"/> when no gateway answers at the URL, another program does, or the connection ended.</summary>
    public const string Unreachable = "unreachable";

    /// <summary>The <see cref="Kind"/> when there was no response within the time limit.</summary>
    public const string Timeout = "timeout";

    /// <summary>The <see cref="Kind"/> when a step ran and one of its reads failed.</summary>
    public const string Failed = "failed";

    internal GatewayException(Problem problem, TimeSpan? retryAfter = null, Exception? cause = null)
        : base(problem.Detail, cause)
    {
        Kind = problem.Type[(problem.Type.LastIndexOf(':') + 1)..];
        Status = problem.Status;
        Code = problem.Code;
        MayHaveRun = problem.MayHaveRun;
        Next = problem.Next;
        RetryAfter = retryAfter;
    }

    internal GatewayException(string kind, string detail, bool mayHaveRun, Exception? cause = null)
        : this(new Problem { Type = kind, Detail = detail, MayHaveRun = mayHaveRun }, cause: cause)
    {
    }

    /// <summary>Which kind of failure, such as <c>leased</c> (docs/operating.md, section Failures, lists them).</summary>
    public string Kind { get; }

    /// <summary>The HTTP status; 0 without a response.</summary>
    public int Status { get; }

    /// <summary>What is wrong and what to change.</summary>
    public string Detail => Message;

    /// <summary>The script's own code when it refused, such as <c>bad-address</c>.</summary>
    public string? Code { get; }

    /// <summary>Whether the request may have had its effect.</summary>
    public bool MayHaveRun { get; }

    /// <summary>The operation that helps.</summary>
    public string? Next { get; }

    /// <summary>When to try again, where the gateway says so.</summary>
    public TimeSpan? RetryAfter { get; }
}

/// <summary>The JSON of a failure (RFC 9457).</summary>
internal sealed record Problem
{
    public required string Type { get; init; }

    public required string Detail { get; init; }

    public int Status { get; init; }

    public string? Code { get; init; }

    public bool MayHaveRun { get; init; }

    public string? Next { get; init; }
}

[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, GenerationMode = JsonSourceGenerationMode.Metadata)]
[JsonSerializable(typeof(Problem))]
internal sealed partial class ProblemJson : JsonSerializerContext;
