using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;

namespace MgbaBridge.Engines.Video;

/// <summary>Reads the video memory of an emulator, all from one frame.</summary>
public static class VideoReader
{
    private const string GameBoy = "gb";

    private static readonly MemoryRange[] GbaRanges =
    [
        new(Location.Bus(0x05000000), GbaVideo.PaletteSize, null),
        new(Location.Bus(GbaVideo.VideoBase), GbaVideo.VideoSize, null),
        new(Location.Bus(0x07000000), GbaVideo.SpriteSize, null),

        // the bus does not read registers that only take writes, such as the scroll positions; the domain does
        new(new Location("io", 0), GbaVideo.RegisterSize, null),
    ];

    /// <summary>Reads it, or returns the failure.</summary>
    public static async Task<(VideoFrame? Frame, CommandFailure? Failure)> ReadAsync(EmulatorClient emulator, CancellationToken cancellationToken)
    {
        using var game = await emulator.SendAsync(new ReadGame(), default, cancellationToken);
        if (game.Failure is { } failure)
        {
            return (null, failure);
        }

        var options = new RequestOptions { Epoch = game.Epoch };
        var isGameBoy = ReadGame.Parse(game).Platform == GameBoy;
        using var reply = isGameBoy
            ? await emulator.SendAsync(new SaveState(0), options, cancellationToken)
            : await emulator.SendAsync(new GatherMemory(GbaRanges), options, cancellationToken);
        return reply.Failure is { } refused ? (null, refused) : Of(reply, isGameBoy);
    }

    /// <summary>Adds to a batch what reads it.</summary>
    public static void AddTo(BatchItems batch, bool isGameBoy)
    {
        if (isGameBoy)
        {
            batch.Add(new SaveState(0), ItemResultKind.Bytes);
        }
        else
        {
            batch.Add(new GatherMemory(GbaRanges), ItemResultKind.Bytes);
        }
    }

    /// <summary>The video memory in a reply, or why it is none.</summary>
    public static (VideoFrame? Frame, CommandFailure? Failure) Of(Reply reply, bool isGameBoy)
    {
        var bytes = reply.Tail.Span;
        if (isGameBoy)
        {
            return bytes.Length < GbVideo.StateSize
                ? (null, new CommandFailure(CommandFailureKind.NotOurs, $"A save state came with {bytes.Length} bytes; a Game Boy's has at least {GbVideo.StateSize}."))
                : (new GbVideo(bytes) { Frame = reply.Frame, Epoch = reply.Epoch }, null);
        }

        if (bytes.Length != GbaRanges.Sum(range => range.Length))
        {
            return (null, new CommandFailure(CommandFailureKind.NotOurs, $"Video memory came with {bytes.Length} bytes."));
        }

        var (video, sprites, registers) = (GbaVideo.PaletteSize, GbaVideo.PaletteSize + GbaVideo.VideoSize, GbaVideo.PaletteSize + GbaVideo.VideoSize + GbaVideo.SpriteSize);
        return (new GbaVideo(bytes[..video], bytes[video..sprites], bytes[sprites..registers], bytes[registers..]) { Frame = reply.Frame, Epoch = reply.Epoch }, null);
    }
}
