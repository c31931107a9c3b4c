using System.Diagnostics;
using System.Text;
using MgbaBridge.Engines.Supervision;

namespace MgbaBridge.Fleet.Engines;

/// <summary>Runs a command of an engine, without a shell and with limits for its time and output.</summary>
internal static class BoundedProcess
{
    /// <summary>Characters of output at most: the list of ten thousand jobs of Slurm, each with the comment of its array, has some 10 MB.</summary>
    private const int MaxOutput = 32 * 1_024 * 1_024;

    private const int MaxErrors = 4_096;

    /// <summary>Runs it. Returns what it printed.</summary>
    /// <exception cref="EngineException">It is missing, failed, took too long or printed too much.</exception>
    public static async Task<string> RunAsync(
        string program, IReadOnlyList<string> arguments, string input, IReadOnlyDictionary<string, string?> environment, TimeSpan timeout, CancellationToken cancellationToken)
    {
        using var timeLimit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        timeLimit.CancelAfter(timeout);
        var start = new ProcessStartInfo(program, arguments) { RedirectStandardInput = true, RedirectStandardOutput = true, RedirectStandardError = true };
        ChildEnvironment.LimitToHosts(start);
        foreach (var (name, value) in environment)
        {
            start.Environment[name] = value;
        }

        Process? process = null;
        try
        {
            process = Process.Start(start) ?? throw new EngineException($"{program} did not start.");
            var output = ReadAsync(process.StandardOutput, MaxOutput, timeLimit.Token);
            var errors = ReadAsync(process.StandardError, MaxErrors, timeLimit.Token);
            await process.StandardInput.WriteAsync(input.AsMemory(), timeLimit.Token);
            process.StandardInput.Close();
            await Task.WhenAll(output, errors);
            await process.WaitForExitAsync(timeLimit.Token);
            var (text, isWhole) = await output;
            return process.ExitCode != 0 ? throw new CommandFailedException($"{program} failed with exit code {process.ExitCode}: {(await errors).Text.Trim()}")
                : isWhole ? text
                : throw new EngineException($"{program} printed more than {MaxOutput} characters.");
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            throw new EngineException($"{program} did not end within {timeout.TotalSeconds} s (Bridge:Fleet:EngineTimeout) and was stopped.");
        }
        catch (Exception exception) when (exception is System.ComponentModel.Win32Exception or IOException)
        {
            throw new EngineException($"{program} could not be run: {exception.Message}", exception);
        }
        finally
        {
            if (process is { HasExited: false })
            {
                process.Kill(entireProcessTree: true);
            }

            process?.Dispose();
        }
    }

    /// <summary>Reads to the end; beyond the limit what comes is dropped.</summary>
    private static async Task<(string Text, bool IsWhole)> ReadAsync(StreamReader reader, int limit, CancellationToken cancellationToken)
    {
        var text = new StringBuilder();
        var buffer = new char[4_096];
        var isWhole = true;
        for (int count; (count = await ProgramOutput.OfAsync(reader.ReadAsync(buffer, cancellationToken).AsTask())) > 0;)
        {
            var kept = Math.Min(count, limit - text.Length);
            text.Append(buffer, 0, kept);
            isWhole &= kept == count;
        }

        return (text.ToString(), isWhole);
    }
}

/// <summary>A command of an engine has ended by itself and says that it failed.</summary>
internal sealed class CommandFailedException(string message) : EngineException(message);
