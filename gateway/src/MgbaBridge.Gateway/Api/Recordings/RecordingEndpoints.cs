using System.Buffers;
using System.Text.Json;
using MgbaBridge.Gateway.Api.Game;
using MgbaBridge.Gateway.Api.Http;
using MgbaBridge.Gateway.Api.Json;
using MgbaBridge.Gateway.Buffers;
using MgbaBridge.Gateway.Commands;
using MgbaBridge.Gateway.Emulator;
using MgbaBridge.Gateway.Recordings;
using Microsoft.IO;

namespace MgbaBridge.Gateway.Api.Recordings;

/// <summary>Recording what is pressed, and playing it again.</summary>
public static class RecordingEndpoints
{
    private const string Tag = "Recording";
    private const string Lines = "application/jsonl";
    private const string One = "/v2/recordings/{recording}";
    private const string Example = """{"id":"4b1d90aa","frame":4711,"epoch":"9f3a01c2","last":4831,"inputs":2,"hashes":2}""";
    private const string Gone = "There is no such recording.";
    private const long UsualPause = 60;
    private const long MaxPause = 36_000;

    /// <summary>Adds <c>/v2/recordings</c>, what is below it, and <c>/v2/replay</c>.</summary>
    public static void MapRecordings(this IEndpointRouteBuilder routes)
    {
        routes.MapPost("/v2/recordings", Start).Describe(new OperationDescription(Tag, "Record what is pressed")
        {
            Description = "From now on the keys of every frame are written down, whoever pressed them, and a hash of memory every so many frames. Only keys are: what else changes the game "
                + "(writes, states) makes a replay differ. It ends when the game is reset, changed or lost. The gateway keeps 16 recordings in memory, each with at most 50000 lines.",
            Body = Content.Json<RecordingBody>("""{"hashEvery":60}"""),
            BodyIsOptional = true,
            Answers = [Content.Json<RecordingAnswer>(Example)],
            OtherResponses = [(507, "There are too many; forget some.")],
        });
        routes.MapGet("/v2/recordings", List).Describe(new OperationDescription(Tag, "The recordings of this emulator")
        {
            Answers = [Content.Json<RecordingsAnswer>($$"""{"recordings":[{{Example}}]}""")],
            Asks = false,
        });
        routes.MapGet(One, http => WithRecording(http, WriteAsync)).Describe(new OperationDescription(Tag, "The lines of a recording")
        {
            Description = "JSON Lines: first the game and its state, then keys, hashes and the end, each with its frame. One that goes on is told as far as it is.",
            Answers = [Content.Bytes(Lines)],
            Asks = false,
            OtherResponses = [(404, Gone)],
        });
        routes.MapPost(One + "/stop", http => WithRecording(http, StopAsync)).Describe(new OperationDescription(Tag, "End a recording with a last hash")
        {
            Answers = [Content.Json<RecordingAnswer>(Example)],
            Asks = false,
            OtherResponses = [(404, Gone)],
        });
        routes.MapDelete(One, http => WithRecording(http, ForgetAsync)).Describe(new OperationDescription(Tag, "Forget a recording")
        {
            Answers = [Content.Json<RecordingAnswer>(Example)],
            Asks = false,
            OtherResponses = [(404, Gone)],
        });
        routes.MapPost("/v2/replay", Play).Describe(new OperationDescription(Tag, "Play a recording again")
        {
            Description = "Goes back to its state, takes the lockstep lease and runs its frames with its keys. Stops at the first hash that is another, and says where. It takes as long as "
                + "the emulator needs for the frames; a caller that leaves ends it. Keys that others hold stay down: let go of them first.",
            Body = Content.Bytes(Lines),
            Answers = [Content.Json<ReplayAnswer>("""{"frame":5031,"epoch":"9f3a01c2","same":true,"frames":120,"inputs":2,"hashes":2}""")],
            OtherResponses = [(409, "It is a recording of another game, or others hold keys."), (423, "Somebody has the lockstep lease.")],
        });
    }

    private static Task Start(HttpContext http) => http.WithEmulatorAsync(static async (http, emulator) =>
    {
        if (await JsonBody.ReadAsync(http, BridgeJson.Default.RecordingBody, new RecordingBody()) is not { } body)
        {
            return;
        }

        var ranges = body.Ranges is null ? null : HashedRanges.Parse(body.Ranges);
        var hashEvery = body.HashEvery ?? UsualPause;
        if (hashEvery is < 1 or > MaxPause || (body.Ranges is not null && ranges is null))
        {
            await Problems.BadRequestAsync(http, $"hashEvery is 1 to {MaxPause} frames; {HashedRanges.FormatHint}");
            return;
        }

        var (recorder, failure) = await http.Single<RecordingStore>().StartAsync(emulator, ranges, hashEvery, http.RequestAborted);
        await (recorder is not null ? AnswerAsync(http, recorder)
            : failure is not null ? Problems.WriteAsync(http, emulator.Id, failure)
            : Problems.FullAsync(http, $"There are {RecordingStore.Most} recordings; forget some with DELETE."));
    });

    private static Task List(HttpContext http) => http.WithEmulatorAsync(static async (http, emulator) =>
        await JsonBody.WriteAsync(http, new RecordingsAnswer([.. http.Single<RecordingStore>().Of(emulator).Select(RecordingAnswer.Of)]), BridgeJson.Default.RecordingsAnswer));

    private static Task WithRecording(HttpContext http, Func<HttpContext, Recorder, Task> then) => http.WithEmulatorAsync(async (http, emulator) =>
    {
        var id = http.Request.RouteValues["recording"] as string;
        await (http.Single<RecordingStore>().Find(emulator, id) is { } recorder
            ? then(http, recorder)
            : Problems.NotThereAsync(http, "recording", $"There is no recording {id}; GET /v2/recordings lists them.").AsTask());
    });

    private static async Task WriteAsync(HttpContext http, Recorder recorder)
    {
        http.Response.ContentType = Lines;
        var (header, lines) = recorder.Lines();
        using var buffer = StreamPool.Rent("recording");
        using var json = new Utf8JsonWriter((IBufferWriter<byte>)buffer);
        Write(buffer, json, header, RecordingJson.Default.RecordingHeader);
        foreach (var line in lines)
        {
            if (buffer.Length >= StreamPool.BlockSize / 2)
            {
                await SendAsync(http, buffer);
            }

            Write(buffer, json, line, RecordingJson.Default.RecordingLine);
        }

        await SendAsync(http, buffer);
    }

    private static void Write<T>(RecyclableMemoryStream buffer, Utf8JsonWriter json, T line, System.Text.Json.Serialization.Metadata.JsonTypeInfo<T> type)
    {
        JsonSerializer.Serialize(json, line, type);
        json.Flush();
        json.Reset();
        buffer.WriteByte((byte)'\n');
    }

    private static async Task SendAsync(HttpContext http, RecyclableMemoryStream buffer)
    {
        foreach (var part in buffer.GetReadOnlySequence())
        {
            await http.Response.BodyWriter.WriteAsync(part, http.RequestAborted);
        }

        buffer.SetLength(0);
    }

    private static async Task StopAsync(HttpContext http, Recorder recorder)
    {
        await recorder.StopAsync();
        await AnswerAsync(http, recorder);
    }

    private static async Task ForgetAsync(HttpContext http, Recorder recorder)
    {
        await http.Single<RecordingStore>().ForgetAsync(recorder);
        await AnswerAsync(http, recorder);
    }

    private static ValueTask AnswerAsync(HttpContext http, Recorder recorder) => JsonBody.WriteAsync(http, RecordingAnswer.Of(recorder), BridgeJson.Default.RecordingAnswer);

    private static Task Play(HttpContext http) => http.WithEmulatorAsync(static async (http, emulator) =>
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
        if ((game.Failure ?? keys.Failure) is { } failure)
        {
            await Problems.WriteAsync(http, emulator.Id, failure);
            return false;
        }

        var (here, down) = (ReadGame.Parse(game), ReadKeys.ParseDown(keys));
        if (here.Crc32 != recorded.Header.Crc32)
        {
            await Problems.ConflictAsync(http, "other-game", "It is another game", $"This is {here.Title} ({GameEndpoints.Hex(here.Crc32)}); the recording is of {recorded.Header.Title} ({GameEndpoints.Hex(recorded.Header.Crc32)}).");
            return false;
        }

        if (down.Count > 0)
        {
            await Problems.ConflictAsync(http, "keys-held", "Keys are held", $"{down} is down and would be in the replay; GET /v2/keys says who holds it.");
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
            BridgeJson.Default.ReplayAnswer);
    }
}
