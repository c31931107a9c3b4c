using MgbaBridge.Gateway.Interfaces.CommandLine;

namespace MgbaBridge.Gateway.Tests.Interfaces.CommandLine;

/// <summary>A verb that ran inside the test process.</summary>
/// <param name="ExitCode">Its exit code.</param>
/// <param name="Output">What it wrote to standard output.</param>
/// <param name="Error">What it wrote to standard error.</param>
internal sealed record VerbRun(int ExitCode, string Output, string Error)
{
    /// <summary>A URL where nothing listens.</summary>
    public const string Nowhere = "http://127.0.0.1:1";

    /// <summary>Runs a verb.</summary>
    public static async Task<VerbRun> OfAsync(params string[] arguments)
    {
        using var output = new StringWriter();
        using var error = new StringWriter();
        // a thread of its own: requests block it, and the gateway may run in this process
        var (code, settings) = await Task.Factory.StartNew(
            () => BridgeCommand.RunAsync(arguments, output, error), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default).Unwrap();
        Assert.Null(settings);
        return new VerbRun(code, output.ToString(), error.ToString());
    }

    /// <summary>Runs a verb that succeeds.</summary>
    public static async Task<string> TextAsync(params string[] arguments)
    {
        var run = await OfAsync(arguments);
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        Assert.DoesNotContain('\e', run.Output);
        return run.Output;
    }
}
