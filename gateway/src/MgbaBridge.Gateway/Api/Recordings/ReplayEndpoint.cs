using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Engines.Recordings;
using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Api.Json;

namespace MgbaBridge.Gateway.Api.Recordings;

/// <summary>Replays a recording.</summary>
internal static class ReplayEndpoint
{
    /// <summary>Handles a request.</summary>
    public static Task InvokeAsync(HttpContext http) => http.WithEmulatorAsync(static async (http, emulator) =>
    {
        if (await RawBody.ReadAsync(http) is not { } body)
        {
            return;
        }

        var recorded = RecordedGame.Parse(body, out var wrong);
        RawBody.Done(http, body);
        if (recorded is null)
        {
            await Problems.BadRequestAsync(http, wrong);
        }
        else if (await IsPossibleAsync(http, emulator, recorded))
        {
            await PlayAsync(http, emulator, recorded);
        }
    });

    private static async Task<bool> IsPossibleAsync(HttpContext http, EmulatorClient emulator, RecordedGame recorded)
    {
        using var game = await emulator.SendAsync(new ReadGame(), default, http.RequestAborted);
        using var keys = await emulator.SendAsync(new ReadKeys(), default, http.RequestAborted);
        using var freezes = await emulator.SendAsync(new ListFreezes(), default, http.RequestAborted);
        var (frozen, unknown) = ListFreezes.Obstacle(freezes);
        if ((game.Failure ?? keys.Failure ?? unknown) is { } failure)
        {
            await Problems.WriteAsync(http, emulator.Id, failure);
            return false;
        }

        var (here, down) = (ReadGame.Parse(game), ReadKeys.ParseDown(keys));
        if (here.Crc32 != recorded.Header.Crc32)
        {
            await Problems.ConflictAsync(http, "other-game", "It is another game", $"This is {here.Title} ({Hex.Of(here.Crc32)}); the recording is of {recorded.Header.Title} ({Hex.Of(recorded.Header.Crc32)}).");
            return false;
        }

        if (frozen is not null)
        {
            await Problems.ConflictAsync(http, RecordingOperations.Frozen, RecordingOperations.FrozenTitle, frozen);
            return false;
        }

        if (down.Count > 0)
        {
            await Problems.ConflictAsync(http, "keys-held", "Keys are held", $"{down} is down and would be in the replay; GET /v2/keys lists the holders.");
        }

        return down.Count == 0;
    }

    private static async Task PlayAsync(HttpContext http, EmulatorClient emulator, RecordedGame recorded)
    {
        var outcome = await Replay.RunAsync(emulator, recorded, http.RequestAborted);
        if (outcome.Failure is { } failure)
        {
            await Problems.WriteAsync(http, emulator.Id, failure);
            return;
        }

        Headers.SetFrame(http.Response, outcome.Frame, outcome.Epoch);
        await JsonBody.WriteAsync(
            http,
            new ReplayAnswer(outcome.Frame, outcome.Epoch, outcome.Divergence is null, outcome.Frames, outcome.Inputs, outcome.Hashes, outcome.Divergence),
            RecordingApiJson.Default.ReplayAnswer);
    }
}
