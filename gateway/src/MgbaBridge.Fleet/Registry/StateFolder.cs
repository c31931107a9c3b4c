using MgbaBridge.Engines.Supervision;

namespace MgbaBridge.Fleet.Registry;

/// <summary>
/// Bytes of states in a folder that the gateways and hosts of a fleet share, such as one of NFS: files that are named by the SHA-256 of the state, and
/// written whole or not at all. Only the leading gateway makes folders, so that a host that has not mounted them does not write to its own disk. Each
/// access has a time limit, and so many run at once: a folder of NFS may not answer for hours.
/// </summary>
/// <param name="root">The folder of <c>Fleet:StateStore</c>, which has to exist.</param>
/// <param name="name">The name of the fleet's folder in it.</param>
public sealed class StateFolder(string root, string name)
{
    private const int AtOnce = 4;
    private const int PartsOfSweep = 8;
    private const int MaxFile = StateRegistry.MaxBytes + 65_536; // what cannot be compressed gets a little longer
    private const string Aside = ".unused";

    private static readonly TimeSpan TimeLimit = TimeSpan.FromSeconds(30);
    private static readonly SemaphoreSlim Room = new(AtOnce);

    private readonly string _folder = Path.Combine(root, name);
    private int _next;

    /// <summary>Writes the bytes of a state, so that they survive a power failure.</summary>
    /// <exception cref="FleetException">That was not possible, or takes too long.</exception>
    public Task WriteAsync(byte[] hash, byte[] content, CancellationToken cancellationToken) => RunAsync(() =>
    {
        DataFolder.WriteAtomically(FileOf(hash), content, $".{Guid.NewGuid():N}.tmp"); // two hosts may write equal ones
        return true;
    }, cancellationToken);

    /// <summary>Reads the bytes of a state; null when the folder does not have them.</summary>
    /// <exception cref="FleetException">The folder cannot be read, or that takes too long.</exception>
    public Task<byte[]?> ReadAsync(byte[] hash, CancellationToken cancellationToken) => RunAsync(() =>
    {
        var file = FileOf(hash);
        return Read(file) ?? Read(file + Aside) ?? Read(file); // Delete sets a file aside for a moment
    }, cancellationToken);

    /// <summary>
    /// Looks at the next parts of the folder, and deletes what is older than <paramref name="age"/>, by the clock of the folder, and <paramref name="unusedAsync"/>:
    /// no row has it. A host needs less time between writing a state and its row. Returns how many.
    /// </summary>
    /// <exception cref="FleetException">The folder cannot be used, or that takes too long.</exception>
    public async Task<int> SweepAsync(TimeSpan age, Func<byte[][], Task<List<byte[]>>> unusedAsync, CancellationToken cancellationToken)
    {
        var deleted = 0;
        for (var count = 0; count < PartsOfSweep; count++, _next++)
        {
            var part = PartOf((byte)_next);
            var old = await RunAsync(() => ListOld(part, age), cancellationToken);
            var unused = old.Length > 0 ? await unusedAsync(old) : [];
            deleted += await RunAsync(() => unused.Count(hash => Delete(FileOf(hash), age)), cancellationToken);
        }

        return deleted;
    }

    /// <summary>Makes the folders, below one that exists.</summary>
    /// <exception cref="FleetException">That was not possible, or takes too long.</exception>
    public Task MakeAsync(CancellationToken cancellationToken) => RunAsync(() =>
    {
        if (!Directory.Exists(root))
        {
            throw new DirectoryNotFoundException($"There is no folder {root}. Create or mount it, or correct Bridge:Fleet:StateStore.");
        }

        for (var part = 0; part <= byte.MaxValue; part++)
        {
            Directory.CreateDirectory(PartOf((byte)part));
        }

        return true;
    }, cancellationToken);

    private string PartOf(byte first) => Path.Combine(_folder, Convert.ToHexStringLower([first]));

    private string FileOf(byte[] hash) => Path.Combine(PartOf(hash[0]), Convert.ToHexStringLower(hash));

    private static byte[]? Read(string path)
    {
        try
        {
            using var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0);
            var content = new byte[Math.Min(file.Length, MaxFile)];
            file.ReadExactly(content);
            return content;
        }
        catch (FileNotFoundException)
        {
            return null;
        }
    }

    /// <summary>The hashes of old states; what interrupted work left is cleared.</summary>
    private byte[][] ListOld(string part, TimeSpan age)
    {
        var before = Now() - age;
        var old = new List<byte[]>();
        foreach (var file in new DirectoryInfo(part).EnumerateFiles().Where(file => file.LastWriteTimeUtc < before))
        {
            if (file.Extension == ".tmp")
            {
                file.Delete();
            }
            else if (file.Extension == Aside)
            {
                file.MoveTo(file.FullName[..^Aside.Length], overwrite: true); // a leader ended meanwhile; the next look decides
            }
            else if (file.Name.Length == 64 && file.Name.All(char.IsAsciiHexDigitLower))
            {
                old.Add(Convert.FromHexString(file.Name));
            }
        }

        return [.. old];
    }

    /// <summary>Deletes a file, unless a host has just written the same state again: what it wrote gets its name back.</summary>
    private bool Delete(string file, TimeSpan age)
    {
        var aside = file + Aside;
        File.Move(file, aside, overwrite: true);
        if (File.GetLastWriteTimeUtc(aside) >= Now() - age)
        {
            File.Move(aside, file, overwrite: true);
            return false;
        }

        File.Delete(aside);
        return true;
    }

    /// <summary>The time of the machine that has the folder, whose clock may differ.</summary>
    private DateTime Now()
    {
        var clock = Path.Combine(_folder, "clock");
        DataFolder.WriteAtomically(clock, [0], $".{Guid.NewGuid():N}.tmp");
        return File.GetLastWriteTimeUtc(clock);
    }

    private async Task<T> RunAsync<T>(Func<T> access, CancellationToken cancellationToken)
    {
        try
        {
            if (!await Room.WaitAsync(TimeLimit, cancellationToken))
            {
                throw new TimeoutException();
            }

            var running = Task.Run(access, CancellationToken.None);
            _ = running.ContinueWith(_ => Room.Release(), CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
            return await running.WaitAsync(TimeLimit, cancellationToken);
        }
        catch (TimeoutException exception)
        {
            throw Failed($"it did not answer within {TimeLimit.TotalSeconds} s.", exception);
        }
        catch (DirectoryNotFoundException exception)
        {
            throw Failed($"{exception.Message} The leading gateway makes these folders; is it mounted on {Environment.MachineName}?", exception);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw Failed(exception.Message, exception);
        }
    }

    private FleetException Failed(string reason, Exception exception) => new(FleetProblem.Unavailable, $"The store of the fleet's states, {_folder} (Bridge:Fleet:StateStore), cannot be used: {reason}", exception);
}
