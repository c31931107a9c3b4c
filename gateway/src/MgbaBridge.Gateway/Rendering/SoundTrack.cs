using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Client.Protocol;

namespace MgbaBridge.Gateway.Rendering;

/// <summary>The sound of a game in a file, sample behind sample. What was lost is silent.</summary>
/// <param name="heard">A subscription to the game's sound.</param>
/// <param name="file">The file.</param>
internal sealed class SoundTrack(EventSubscription heard, Stream file)
{
    /// <summary>Pairs of samples a second of the game.</summary>
    public const int SampleRate = 48_000;

    /// <summary>Bytes of a pair: left and right.</summary>
    public const int BytesPerPair = 4;

    private static readonly TimeSpan Timeout = TimeSpan.FromSeconds(10); // for the sound of a frame that has run

    private long? _first;

    /// <summary>Writes what has come.</summary>
    public async Task WriteAsync(CancellationToken cancelled)
    {
        while (heard.Waiting.TryRead(out var received))
        {
            await WriteAsync(received, cancelled);
        }
    }

    /// <summary>Waits for the rest, and makes it as long as this.</summary>
    public async Task CompleteAsync(long pairs, CancellationToken cancelled)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancelled);
        limit.CancelAfter(Timeout);
        try
        {
            while (file.Length < (pairs - (SampleRate / 60)) * BytesPerPair)
            {
                await WriteAsync(await heard.Waiting.ReadAsync(limit.Token), cancelled);
            }
        }
        catch (OperationCanceledException) when (!cancelled.IsCancellationRequested)
        {
            throw new RenderingException("The sound of the game's last frames did not come.");
        }

        file.SetLength(pairs * BytesPerPair);
    }

    private async Task WriteAsync(EmulatorEvent received, CancellationToken cancelled)
    {
        if (SampleOf(received) is not { } sample)
        {
            return;
        }

        _first ??= sample;
        file.Position = (sample - _first.Value) * BytesPerPair;
        await file.WriteAsync(received.Bytes, cancelled);
    }

    private static long? SampleOf(EmulatorEvent received)
    {
        var values = new ValueReader(received.Values.Span);
        return received.Kind == EventNames.Sound && values.ReadTo("sample"u8) ? values.Integer : null;
    }
}
