using System.ComponentModel;
using System.Diagnostics;
using MgbaBridge.Engines.Supervision;

namespace MgbaBridge.Gateway.Rendering;

/// <summary>A run of ffmpeg.</summary>
internal sealed class Ffmpeg : IAsyncDisposable
{
    private const string Program = "ffmpeg";

    private readonly Process _process;
    private readonly Task<string> _lastLine;

    private Ffmpeg(Process process) => (_process, _lastLine) = (process, LastLineAsync(process.StandardError));

    /// <summary>Starts it.</summary>
    /// <exception cref="RenderingException">It is not installed.</exception>
    public static Ffmpeg Start(params IEnumerable<string> arguments)
    {
        try
        {
            return new Ffmpeg(Process.Start(StartInfo(arguments))!);
        }
        catch (Win32Exception)
        {
            throw new RenderingException("ffmpeg, which encodes videos, is not installed. Install it (Debian and Ubuntu: sudo apt install ffmpeg) so that it is on the path.") { Failure = RenderingFailure.ProgramMissing };
        }
    }

    internal static ProcessStartInfo StartInfo(params IEnumerable<string> arguments)
    {
        var start = new ProcessStartInfo(Program, ["-nostdin", "-nostats", "-v", "error", "-y", .. arguments]) { RedirectStandardError = true };
        ChildEnvironment.LimitToPrograms(start);
        return start;
    }

    /// <summary>Waits until it has ended, in whatever way.</summary>
    public Task WaitAsync(CancellationToken cancelled) => _process.WaitForExitAsync(cancelled);

    /// <summary>Waits until it has read its input and written its file.</summary>
    /// <exception cref="RenderingException">It has failed.</exception>
    public async Task EndAsync(CancellationToken cancelled)
    {
        await _process.WaitForExitAsync(cancelled);
        if (_process.ExitCode != 0)
        {
            throw new RenderingException($"{Program} failed: {await _lastLine}");
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (!_process.HasExited)
        {
            _process.Kill();
            await _process.WaitForExitAsync();
        }

        _process.Dispose();
    }

    private static async Task<string> LastLineAsync(StreamReader output)
    {
        var last = $"{Program} said nothing.";
        while (await output.ReadLineAsync() is { } line)
        {
            last = line.Length > 0 ? line : last;
        }

        return last;
    }
}

/// <summary>A video cannot be made.</summary>
internal sealed class RenderingException(string message) : Exception(message)
{
    /// <summary>What kind of reason it has.</summary>
    public RenderingFailure Failure { get; init; }
}

/// <summary>Why a video cannot be made.</summary>
internal enum RenderingFailure
{
    /// <summary>The recording cannot be rendered, or ffmpeg has failed.</summary>
    NotPossible,

    /// <summary>A program is missing.</summary>
    ProgramMissing,

    /// <summary>It would be longer than allowed.</summary>
    TooLong,

    /// <summary>Another one is being made.</summary>
    Busy,
}
