using MgbaBridge.Client.Commands;

namespace MgbaBridge.Gateway.Operations.Files;

/// <summary>Files on the machine that mGBA runs on. The script's settings say which ones may be named.</summary>
internal static class FileOperations
{
    private static readonly Resource Resource = new("Files", CommonJson.Default);

    private static readonly Parameter<string> File = Parameter.Text(
        "file", "Below a folder that the script allows (MGBA_BRIDGE_FOLDERS): a plain path in the first of them, or an absolute one.");

    // reading a file takes as long as the disk does
    private static readonly TimeSpan MaxLoad = TimeSpan.FromSeconds(15);

    private static readonly StatusNote[] FileFailures =
    [
        (ErrorCode.Forbidden, "the file is outside the folders that the script allows; `detail` names the setting."),
        (ErrorCode.NotFound, "there is no such file."),
    ];

    public static CommandOperation<LoadRom, DoneAnswer> Rom { get; } = new(Resource, "rom.load", HttpMethods.Post, "/v2/rom/load", Access.Manage)
    {
        Summary = "Load a game and reset",
        Description = "For the same console only. The epoch changes.",
        Request = Parameters.Of(File, static file => new LoadRom(file)),
        RequestExample = """{"file":"other.gba"}""",
        Read = DoneAnswer.Of,
        ResponseExample = DoneAnswer.Example,
        Statuses = FileFailures,
        Timeout = static _ => MaxLoad,
    };

    public static CommandOperation<LoadSave, DoneAnswer> Save { get; } = new(Resource, "save.load", HttpMethods.Post, "/v2/save/load", Access.Manage)
    {
        Summary = "Use a file for save data",
        Description = "The game sees it after a reset, and saves into it. So a file in another form than mGBA's is refused by its name; `save.put` takes its bytes.",
        Request = Parameters.Of(
            File with { Sentence = $"{File.Sentence} It is made if missing." },
            Parameter.Flag("temporary", "Whether what the game saves is not written back to it."),
            static (file, temporary) => new LoadSave(file, temporary)),
        RequestExample = """{"file":"other.sav","temporary":true}""",
        Read = DoneAnswer.Of,
        ResponseExample = DoneAnswer.Example,
        Statuses = FileFailures,
        Timeout = static _ => MaxLoad,
    };

    public static CommandOperation<AutoloadSave, DoneAnswer> Autoload { get; } = new(Resource, "save.autoload", HttpMethods.Post, "/v2/save/autoload", Access.Manage)
    {
        Summary = "Use the game's default save file",
        Request = Parameters.Always(new AutoloadSave()),
        Read = DoneAnswer.Of,
        ResponseExample = DoneAnswer.Example,
        Timeout = static _ => MaxLoad,
    };

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Operation> All { get; } = [Rom, Save, Autoload];
}
