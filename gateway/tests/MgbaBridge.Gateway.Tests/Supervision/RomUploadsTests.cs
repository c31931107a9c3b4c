using MgbaBridge.Engines.Supervision;
using Microsoft.Extensions.Logging.Abstractions;

namespace MgbaBridge.Gateway.Tests.Supervision;

public sealed class RomUploadsTests : IDisposable
{
    private const int NoSpace = 28;

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("mgba-bridge-roms-");

    [Fact]
    public async Task AddAsync_OnAFullDisk_SaysWhatToDoAndLeavesNothing()
    {
        using var data = new DataFolder(_folder.FullName, NullLogger<DataFolder>.Instance);
        var uploads = new RomUploads(new OwnedEmulatorOptions(), data);
        await using var content = new FullDisk();
        var failure = await Assert.ThrowsAsync<IOException>(() => uploads.AddAsync("game.gba", content, TestContext.Current.CancellationToken));
        Assert.EndsWith(". Free space on that disk.", failure.Message, StringComparison.Ordinal);
        Assert.Empty(Directory.GetFiles(data.Below("roms")));
    }

    public void Dispose() => _folder.Delete(recursive: true);

    private sealed class FullDisk : MemoryStream
    {
        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) => throw new IOException("No space left on device", NoSpace);
    }
}
