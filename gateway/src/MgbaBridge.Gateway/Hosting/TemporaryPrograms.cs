using MgbaBridge.Engines.Supervision;
using Microsoft.Extensions.Logging.Abstractions;

namespace MgbaBridge.Gateway.Hosting;

/// <summary>The programs that run games, with a data folder of their own, which is deleted afterwards: for verbs that start emulators without a gateway.</summary>
internal sealed class TemporaryPrograms : IDisposable
{
    private readonly DirectoryInfo _folder;

    /// <summary>Creates the folder.</summary>
    /// <param name="prefix">How its name begins.</param>
    public TemporaryPrograms(string prefix)
    {
        _folder = Directory.CreateTempSubdirectory(prefix);
        Data = new DataFolder(Folder, NullLogger<DataFolder>.Instance);
        Programs = new Programs(new OwnedEmulatorOptions { HeadlessProgram = Environment.GetEnvironmentVariable("Bridge__Owned__HeadlessProgram") }, Data);
    }

    /// <summary>The path of the folder.</summary>
    public string Folder => _folder.FullName;

    /// <summary>The data folder.</summary>
    public DataFolder Data { get; }

    /// <summary>The programs.</summary>
    public Programs Programs { get; }

    public void Dispose()
    {
        Data.Dispose();
        _folder.Delete(recursive: true);
    }
}
