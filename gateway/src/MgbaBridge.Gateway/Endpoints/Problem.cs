using System.Text.Json.Serialization;

namespace MgbaBridge.Gateway.Endpoints;

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
    string TraceId);
