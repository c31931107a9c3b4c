using System.Security.Cryptography;
using MgbaBridge.Client.Emulator;

namespace MgbaBridge.Gateway.Interfaces.Mcp.Resources;

/// <summary>Tells a client when a picture has changed, at most once a second. Subscribers of one emulator share its pictures.</summary>
internal static class ScreenSubscription
{
    private const double PerSecond = 1;

    /// <summary>Runs until it is cancelled.</summary>
    /// <param name="emulator">The emulator.</param>
    /// <param name="notify">Sends a notification.</param>
    /// <param name="cancelled">Ends it.</param>
    public static async Task RunAsync(EmulatorClient emulator, Func<Task> notify, CancellationToken cancelled)
    {
        using var viewer = emulator.Pictures.Join(PerSecond);
        byte[] last = [];
        try
        {
            await foreach (var picture in viewer.Newest.ReadAllAsync(cancelled))
            {
                var hash = SHA256.HashData(picture.Png.Span);
                if (picture.Failure is null && !hash.AsSpan().SequenceEqual(last))
                {
                    last = hash;
                    await notify();
                }
            }
        }
        catch (Exception exception) when (exception is OperationCanceledException or IOException or InvalidOperationException or ObjectDisposedException)
        {
            // the client has ended it, or has left
        }
    }
}
