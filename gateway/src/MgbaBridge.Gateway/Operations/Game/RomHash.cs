using System.Security.Cryptography;
using MgbaBridge.Client.Commands;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Gateway.Operations.Memory;

namespace MgbaBridge.Gateway.Operations.Game;

/// <summary>The SHA-1 of a ROM, by which databases know games.</summary>
internal static class RomHash
{
    private const int ReadAtOnce = 1_048_576;

    /// <summary>Reads the ROM and returns its SHA-1, or why it cannot be read.</summary>
    /// <param name="emulator">The emulator.</param>
    /// <param name="size">Its size in bytes.</param>
    /// <param name="options">The options of the requests; with the game's epoch, since the parts must be of one ROM.</param>
    /// <param name="cancelled">The caller has left.</param>
    public static async Task<(byte[]? Hash, CommandFailure? Failure)> ReadAsync(EmulatorClient emulator, long size, RequestOptions options, CancellationToken cancelled)
    {
        using var sha = IncrementalHash.CreateHash(HashAlgorithmName.SHA1);
        for (long offset = 0; offset < size; offset += ReadAtOnce)
        {
            using var reply = await emulator.SendAsync(new ReadMemory(new Location(GameMemory.Rom, offset), Math.Min(ReadAtOnce, size - offset)), options, cancelled);
            if (reply.Failure is { } failure)
            {
                return (null, failure);
            }

            sha.AppendData(reply.Tail.Span);
        }

        return (sha.GetHashAndReset(), null);
    }
}
