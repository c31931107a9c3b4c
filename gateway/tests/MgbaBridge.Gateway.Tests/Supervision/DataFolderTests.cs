using MgbaBridge.Engines.Supervision;
using Microsoft.Extensions.Logging.Abstractions;

namespace MgbaBridge.Gateway.Tests.Supervision;

public sealed class DataFolderTests : IDisposable
{
    private const string Resource = "mgba-bridge-test.gba";
    private const int Writers = 8;
    private const int Rounds = 20;

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("mgba-bridge-data-");

    [Fact]
    public void WriteResource_ByEmulatorsThatStartAtOnce_SucceedsForAll()
    {
        using var data = new DataFolder(_folder.FullName, NullLogger<DataFolder>.Instance);
        for (var round = 0; round < Rounds; round++)
        {
            var name = $"games{round}";
            using var together = new Barrier(Writers);
            var failures = new Exception?[Writers];
            var threads = Enumerable.Range(0, Writers).Select(writer => new Thread(() =>
            {
                together.SignalAndWait();
                failures[writer] = Record.Exception(() => data.WriteResource(Resource, name));
            })).ToArray();
            Array.ForEach(threads, thread => thread.Start());
            Array.ForEach(threads, thread => thread.Join());
            Assert.All(failures, Assert.Null);
            Assert.Equal([Resource], Directory.GetFiles(data.Below(name)).Select(Path.GetFileName));
        }
    }

    public void Dispose() => _folder.Delete(recursive: true);
}
