using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Api.Operations;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Api.Files;

/// <summary>Files on the machine that mGBA runs on. The script's settings say which ones may be named.</summary>
internal static class FileOperations
{
    private const string Tag = "Files";

    // reading a file takes as long as the disk does
    private static readonly TimeSpan MaxLoad = TimeSpan.FromSeconds(15);

    private static readonly (int Status, string When)[] FileFailures =
    [
        (StatusCodes.Status403Forbidden, "The file is outside the folders that the script allows; `detail` names the setting."),
        (StatusCodes.Status404NotFound, "There is no such file."),
    ];

    public static CommandOperation<FileBody, LoadRom, DoneAnswer> Rom { get; } = new("rom.load", HttpMethods.Post, "/v2/rom/load", Access.Manage)
    {
        Tag = Tag,
        Summary = "Load a game and reset",
        Description = "For the same console only. The epoch changes.",
        Inputs = [Input.Holder],
        Request = Request.Body<FileBody>(FileJson.Default, """{"file":"other.gba"}"""),
        Command = static (FileBody body, out LoadRom command) =>
        {
            command = new LoadRom(body.File);
            return null;
        },
        Read = DoneAnswer.Of,
        Response = BridgeJson.Default,
        ResponseExample = DoneAnswer.Example,
        OtherResponses = FileFailures,
        Timeout = static _ => MaxLoad,
    };

    public static CommandOperation<SaveFileBody, LoadSave, DoneAnswer> Save { get; } = new("save.load", HttpMethods.Post, "/v2/save/load", Access.Manage)
    {
        Tag = Tag,
        Summary = "Use a file for save data",
        Description = "The game sees it after a reset.",
        Inputs = [Input.Holder],
        Request = Request.Body<SaveFileBody>(FileJson.Default, """{"file":"other.sav","temporary":true}"""),
        Command = static (SaveFileBody body, out LoadSave command) =>
        {
            command = new LoadSave(body.File, body.Temporary);
            return null;
        },
        Read = DoneAnswer.Of,
        Response = BridgeJson.Default,
        ResponseExample = DoneAnswer.Example,
        OtherResponses = FileFailures,
        Timeout = static _ => MaxLoad,
    };

    public static CommandOperation<NoParameters, AutoloadSave, DoneAnswer> Autoload { get; } = new("save.autoload", HttpMethods.Post, "/v2/save/autoload", Access.Manage)
    {
        Tag = Tag,
        Summary = "Use the game's default save file",
        Inputs = [Input.Holder],
        Request = Request.None,
        Command = CommandFactories.WithoutArguments,
        Read = DoneAnswer.Of,
        Response = BridgeJson.Default,
        ResponseExample = DoneAnswer.Example,
        Timeout = static _ => MaxLoad,
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [Rom, Save, Autoload];
}

/// <summary>A file on the machine that mGBA runs on.</summary>
public sealed record FileBody
{
    /// <summary>Below a folder that the script allows (MGBA_BRIDGE_FOLDERS): a plain path in the first of them, or an absolute one.</summary>
    public required string File { get; init; }
}

/// <summary>A file with save data, on the machine that mGBA runs on.</summary>
public sealed record SaveFileBody
{
    /// <summary>Below a folder that the script allows (MGBA_BRIDGE_FOLDERS): a plain path in the first of them, or an absolute one. It is made if missing.</summary>
    public required string File { get; init; }

    /// <summary>Whether what the game saves is not written back to it.</summary>
    public bool Temporary { get; init; }
}

/// <summary>The JSON of files.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    NumberHandling = JsonNumberHandling.Strict,
    RespectNullableAnnotations = true,
    AllowDuplicateProperties = false,
    UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow)]
[JsonSerializable(typeof(FileBody))]
[JsonSerializable(typeof(SaveFileBody))]
internal sealed partial class FileJson : JsonSerializerContext;
