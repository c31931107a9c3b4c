using System.Globalization;
using MgbaBridge.Engines.Supervision;

namespace MgbaBridge.Gateway.Testing;

/// <summary>Runs a ROM that tests itself, without a gateway's script, as <c>mgba-rom-test</c> does.</summary>
/// <param name="program">The emulator.</param>
/// <param name="swi">The SWI that ends the ROM.</param>
/// <param name="frames">The most frames.</param>
internal sealed class SelfTestRun(string program, int swi, long frames)
{
    private const int Unfinished = 124;

    // as pokeemerald-expansion starts it: info and worse, and of DMA nothing
    private static readonly string[] LogLevels = ["-l", "15", "-C", "logLevel.gba.dma=16"];

    /// <summary>Runs it, and tells of each test that has ended.</summary>
    public async Task RunAsync(SelfTestRom rom, Action<SelfTestResult> ended, CancellationToken cancelled)
    {
        var log = new SelfTestLog(rom.Path, new SelfTestNames(rom.Path));
        string[] exit = IsGba(rom.Path) ? ["-S", swi.ToString(CultureInfo.InvariantCulture), "-R", "r0"] : [];
        using var process = EmulatorProcess.Start(program, ["--rom-test", .. LogLevels, .. exit, "--frames", frames.ToString(CultureInfo.InvariantCulture), "--", rom.Path]);
        try
        {
            var error = process.StandardError.ReadToEndAsync(cancelled);
            var (count, failed) = (0, false);
            while (log.Passed is null && await process.StandardOutput.ReadLineAsync(cancelled) is { } line)
            {
                if (log.Read(line) is { } result)
                {
                    (count, failed) = (count + 1, failed || result.Verdict == SelfTestVerdict.Failed);
                    ended(result);
                }
            }

            if (log.Passed is null)
            {
                await process.WaitForExitAsync(cancelled);
            }

            var code = log.Passed is null ? process.ExitCode : 0;
            var passed = log.Passed ?? (code == 0 && !log.EndsWithASentence);
            if (log.IsInTest)
            {
                ended(log.End(SelfTestVerdict.Failed, code == 0 ? SelfTestResult.Missing : $"{SelfTestResult.Missing} {Reason(code, await error, log)}"));
            }
            else if (count == 0 || (!passed && !failed))
            {
                ended(log.End(passed ? SelfTestVerdict.Passed : SelfTestVerdict.Failed, passed ? "passed" : Reason(code, await error, log)));
            }
        }
        finally
        {
            if (!process.HasExited)
            {
                process.Kill();
                await process.WaitForExitAsync(CancellationToken.None);
            }
        }
    }

    private string Reason(int code, string error, SelfTestLog log) => code switch
    {
        0 => "The log does not end with the sentence that the tests finished.",
        Unfinished when !IsGba(log.Test.Path) => string.Create(CultureInfo.InvariantCulture, $"The ROM did not end within {frames} frames, and no rule fits it. Give it more with --frames, or name a rule with --rule."),
        Unfinished => string.Create(CultureInfo.InvariantCulture, $"The ROM did not end within {frames} frames. Give it more with --frames, or name the SWI that ends it with --swi."),
        _ when error.Length > 0 => error.Trim(),
        _ when log.FailureInWords is { } words => words,
        _ => string.Create(CultureInfo.InvariantCulture, $"The ROM ended with exit code {code}."),
    };

    private static bool IsGba(string path) => Path.GetExtension(path).ToUpperInvariant() is not (".GB" or ".GBC");
}
