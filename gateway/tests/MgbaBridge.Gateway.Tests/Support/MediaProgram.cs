using System.ComponentModel;
using System.Diagnostics;

namespace MgbaBridge.Gateway.Tests.Support;

/// <summary>Runs ffmpeg and ffprobe, which measure sound and videos.</summary>
internal static class MediaProgram
{
    /// <summary>Runs one, and returns its output.</summary>
    public static async Task<byte[]> RunAsync(string program, params string[] arguments)
    {
        using var process = Start(program, arguments);
        using var output = new MemoryStream();
        await process.StandardOutput.BaseStream.CopyToAsync(output, TestContext.Current.CancellationToken);
        await process.WaitForExitAsync(TestContext.Current.CancellationToken);
        Assert.Equal(0, process.ExitCode);
        return output.ToArray();
    }

    /// <summary>Runs one with these bytes as its input file.</summary>
    public static async Task<byte[]> RunOnAsync(string program, ReadOnlyMemory<byte> file, params string[] arguments)
    {
        var path = Path.GetTempFileName();
        try
        {
            await File.WriteAllBytesAsync(path, file, TestContext.Current.CancellationToken);
            return await RunAsync(program, ["-v", "error", "-i", path, .. arguments]);
        }
        finally
        {
            File.Delete(path);
        }
    }

    private static Process Start(string program, string[] arguments)
    {
        try
        {
            return Process.Start(new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true })!;
        }
        catch (Win32Exception)
        {
            throw new InvalidOperationException($"{program} is missing, which measures sound and videos: scripts/install video");
        }
    }
}
