using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Api.Json;
using MgbaBridge.Gateway.Commands;

namespace MgbaBridge.Gateway.Api.Files;

/// <summary>Files on the machine that mGBA runs on. Which ones may be named, the script's settings say.</summary>
public static class FileEndpoints
{
    private const string DoneExample = """{"frame":4711,"epoch":"9f3a01c2"}""";

    // reading a file takes as long as the disk does
    private static readonly TimeSpan MaxLoad = TimeSpan.FromSeconds(15);

    /// <summary>Adds <c>/v2/rom/load</c>, <c>/v2/save/load</c> and <c>/v2/save/autoload</c>.</summary>
    public static void MapFiles(this IEndpointRouteBuilder routes)
    {
        routes.MapPost("/v2/rom/load", Rom).Describe(Files("Load another game and reset", "For the same console only. The epoch changes.") with
        {
            Body = Content.Json<FileBody>("""{"file":"other.gba"}"""),
        });
        routes.MapPost("/v2/save/load", Save).Describe(Files("Use another file for save data", "Reset to let the game see it.") with
        {
            Body = Content.Json<SaveFileBody>("""{"file":"other.sav","temporary":true}"""),
        });
        routes.MapPost("/v2/save/autoload", http => http.SendAsCallerAsync(new AutoloadSave(), Callers.DoneAsync, MaxLoad))
            .Describe(Files("Use the game's own save file again", null) with { OtherResponses = [] });
    }

    private static OperationDescription Files(string summary, string? description) => new("Files", summary)
    {
        Description = description,
        Inputs = [Input.Holder],
        Answers = [Content.Json<DoneAnswer>(DoneExample)],
        OtherResponses = [(403, "The file is outside the folders that the script allows; `detail` names the setting."), (404, "There is no such file.")],
    };

    private static async Task Rom(HttpContext http)
    {
        if (await JsonBody.ReadAsync(http, BridgeJson.Default.FileBody) is { } body)
        {
            await http.SendAsCallerAsync(new LoadRom(body.File), Callers.DoneAsync, MaxLoad);
        }
    }

    private static async Task Save(HttpContext http)
    {
        if (await JsonBody.ReadAsync(http, BridgeJson.Default.SaveFileBody) is { } body)
        {
            await http.SendAsCallerAsync(new LoadSave(body.File, body.Temporary), Callers.DoneAsync, MaxLoad);
        }
    }
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
