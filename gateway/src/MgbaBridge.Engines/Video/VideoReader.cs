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
    public static async Task<(VideoFrame? Frame, FailureReport? Failure)> ReadAsync(EmulatorClient emulator, CancellationToken cancellationToken)
    {
        using var game = await emulator.SendAsync(new ReadGame(), default, cancellationToken);
        if (game.Failure is { } failure)
        {
            return (null, failure);
        }

        var options = new RequestOptions { Epoch = game.Epoch };
        return ReadGame.Parse(game).Platform == GameBoy
            ? await ReadGameBoyAsync(emulator, options, cancellationToken)
            : await ReadAdvanceAsync(emulator, options, cancellationToken);
    }

    private static async Task<(VideoFrame? Frame, FailureReport? Failure)> ReadAdvanceAsync(EmulatorClient emulator, RequestOptions options, CancellationToken cancellationToken)
    {
        using var reply = await emulator.SendAsync(new GatherMemory(GbaRanges), options, cancellationToken);
        if (reply.Failure is { } failure)
        {
            return (null, failure);
        }

        var bytes = reply.Tail.Span;
        if (bytes.Length != GbaRanges.Sum(range => range.Length))
        {
            return (null, new FailureReport(Failure.NotOurs, $"Video memory came with {bytes.Length} bytes."));
        }

        var (video, sprites, registers) = (GbaVideo.PaletteSize, GbaVideo.PaletteSize + GbaVideo.VideoSize, GbaVideo.PaletteSize + GbaVideo.VideoSize + GbaVideo.SpriteSize);
        return (new GbaVideo(bytes[..video], bytes[video..sprites], bytes[sprites..registers], bytes[registers..]) { Frame = reply.Frame, Epoch = reply.Epoch }, null);
    }

    private static async Task<(VideoFrame? Frame, FailureReport? Failure)> ReadGameBoyAsync(EmulatorClient emulator, RequestOptions options, CancellationToken cancellationToken)
    {
        using var reply = await emulator.SendAsync(new SaveState(0), options, cancellationToken);
        if (reply.Failure is { } failure)
        {
            return (null, failure);
        }

        return reply.Tail.Length < GbVideo.StateSize
            ? (null, new FailureReport(Failure.NotOurs, $"A save state came with {reply.Tail.Length} bytes; a Game Boy's has at least {GbVideo.StateSize}."))
            : (new GbVideo(reply.Tail.Span) { Frame = reply.Frame, Epoch = reply.Epoch }, null);
    }
}
