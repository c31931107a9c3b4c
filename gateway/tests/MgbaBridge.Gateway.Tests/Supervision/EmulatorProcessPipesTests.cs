using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Tests.Support;

namespace MgbaBridge.Gateway.Tests.Supervision;

/// <summary>What an emulator's process leaves open in this one. Other tests open and close pipes too.</summary>
[Collection(nameof(Alone))]
public sealed class EmulatorProcessPipesTests
{
    [Fact]
    public async Task Processes_ThatEnded_LeaveNoPipes()
    {
        var folder = Directory.CreateTempSubdirectory("mgba-bridge-pipes-");
        using (var log = new OutputLog(folder.FullName))
        {
            var before = Pipes();
            for (var start = 0; start < 10; start++)
            {
                var process = EmulatorProcess.Start(new EmulatorLaunch("/bin/true", "", new EmulatorOptions()), log.Add);
                await process.Exited;
                await process.DisposeAsync();
            }

            await Eventually.Is(() => Pipes() <= before); // other threads of this process may be about to close theirs
        }

        folder.Delete(recursive: true);
    }

    private static int Pipes() =>
        Directory.EnumerateFileSystemEntries("/proc/self/fd").Count(file => new FileInfo(file).LinkTarget?.StartsWith("pipe:", StringComparison.Ordinal) == true);
}
