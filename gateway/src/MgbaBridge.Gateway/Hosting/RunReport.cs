using System.Buffers;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace MgbaBridge.Gateway.Hosting;

/// <summary>What <c>mgba-bridge run --json</c> writes when requests are answered (docs/command-line.md).</summary>
/// <param name="Url">The address of the gateway.</param>
/// <param name="Page">The address of its page.</param>
/// <param name="Port">Its HTTP port.</param>
/// <param name="Pid">Its process.</param>
/// <param name="Data">The folder of states, logs and the save files of bundled games.</param>
/// <param name="Emulators">The emulators that it started.</param>
/// <param name="Note">Why it is not at the default port; absent when it is, or when a port was chosen.</param>
/// <param name="Share">The page for other people of the local network; absent without <c>--share</c>.</param>
internal sealed record RunReport(string Url, string Page, int Port, int Pid, string Data, IReadOnlyList<RunEmulator> Emulators, string? Note, string? Share)
{
    /// <summary>One line. Letters of all languages are as they are: paths often contain them.</summary>
    public string ToJson()
    {
        var line = new ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(line, new JsonWriterOptions { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping }))
        {
            JsonSerializer.Serialize(writer, this, RunReportJson.Default.RunReport);
        }

        return Encoding.UTF8.GetString(line.WrittenSpan);
    }
}

/// <summary>An emulator of <see cref="RunReport"/>.</summary>
/// <param name="Id">Its id in paths.</param>
/// <param name="Rom">The ROM.</param>
/// <param name="Pid">Its process.</param>
/// <param name="Port">The port of its script.</param>
/// <param name="Window">Whether it runs in a window.</param>
/// <param name="NextStep">What the user has to do before it answers; absent when nothing.</param>
/// <param name="ContinuedFrom">The state that it continued from, since its last run did not end in order; absent when there is none.</param>
/// <param name="SaveWrittenAt">When the save file was written, if that was after that state: the game continues with this save; absent otherwise.</param>
/// <param name="Symbols">The file beside the ROM whose symbols were loaded; absent when there is none.</param>
/// <param name="Patch">The patch that was applied; absent when there is none, and in a window.</param>
/// <param name="Cheats">The file of cheats, likewise.</param>
internal sealed record RunEmulator(
    string Id, string Rom, int Pid, int Port, bool Window, string? NextStep, string? ContinuedFrom, DateTimeOffset? SaveWrittenAt, string? Symbols, string? Patch, string? Cheats);

/// <summary>The JSON of <see cref="RunReport"/>.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(RunReport))]
internal sealed partial class RunReportJson : JsonSerializerContext;
