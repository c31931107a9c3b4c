using System.Globalization;
using MgbaBridge.Engines.Supervision;

namespace MgbaBridge.Gateway.Testing;

/// <summary>Runs a ROM that tests itself, without a gateway's script, as <c>mgba-rom-test</c> does.</summary>
/// <param name="program">The emulator.</param>
/// <param name="settings">How.</param>
internal sealed class SelfTestRun(string program, TestSettings settings)
{
    private const int Unfinished = 124;

    // as pokeemerald-expansion starts it: info and worse, and of DMA nothing
    private static readonly string[] LogLevels = ["-l", "15", "-C", "logLevel.gba.dma=16"];

    // what tells of a failure, in any of the formats
    private static readonly string[] Failures = ["GBA Debug: :F", "GBA Debug: :U", "GBA Debug: :V", "GBA Debug: [failed]", "GBA Debug: test failed", ":FAIL"];

    /// <summary>Runs it, and tells of each test that has ended. What it has saved, or null.</summary>
    public async Task<byte[]?> RunAsync(SelfTestRom rom, Action<SelfTestResult> ended, CancellationToken cancelled)
    {
        var log = new SelfTestLog(rom.Path, new SelfTestNames(rom.Path));
        string[] exit = IsGba(rom.Path) ? ["-S", settings.Swi.ToString(CultureInfo.InvariantCulture), "-R", "r0"] : [];
        var folder = Directory.CreateTempSubdirectory("mgba-bridge-test-");
        var moments = new FailureMoments(folder.FullName, Failures, ended);
        try
        {
            await RunAsync(log, moments, ["--rom-test", .. LogLevels, .. (IsGba(rom.Path) ? settings.Machine with { Model = null } : settings.Machine).Arguments, .. exit, "--frames", settings.Frames.ToString(CultureInfo.InvariantCulture), .. moments.Arguments, .. SaveFiles.ArgumentsFor(settings.Saves, folder.FullName), .. Coverage.ArgumentsFor(settings.Coverage, folder.FullName), "--control", "-", "--", rom.Path], cancelled);
            settings.Coverage?.Add(rom.Path, null, folder.FullName);
            return SaveFiles.In(folder.FullName);
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private async Task RunAsync(SelfTestLog log, FailureMoments moments, IReadOnlyList<string> arguments, CancellationToken cancelled)
    {
        using var process = EmulatorProcess.Start(program, arguments);
        try
        {
            var error = process.StandardError.ReadToEndAsync(cancelled);
            var (count, failed) = (0, false);
            while ((log.Passed is null || moments.IsWaiting) && await process.StandardOutput.ReadLineAsync(cancelled) is { } line)
            {
                if (!moments.Read(line) && log.Passed is null && log.Read(line) is { } result)
                {
                    (count, failed) = (count + 1, failed || result.Verdict == SelfTestVerdict.Failed);
                    moments.Add(result);
                }
            }

            if (log.Passed is not null)
            {
                process.StandardInput.Close(); // all is said
                await process.StandardOutput.ReadToEndAsync(cancelled);
            }

            await process.WaitForExitAsync(cancelled);
            moments.End();

            var code = log.Passed is null ? process.ExitCode : 0;
            var passed = log.Passed ?? (code == 0 && !log.EndsWithASentence);
            if (log.IsInTest)
            {
                moments.Add(log.End(SelfTestVerdict.Failed, code == 0 ? SelfTestResult.Missing : $"{SelfTestResult.Missing} {Reason(code, await error, log)}"));
            }
            else if (count == 0 || (!passed && !failed))
            {
                moments.Add(log.End(passed ? SelfTestVerdict.Passed : SelfTestVerdict.Failed, passed ? "passed" : Reason(code, await error, log)));
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
        Unfinished when !IsGba(log.Test.Path) => string.Create(CultureInfo.InvariantCulture, $"The ROM did not end within {settings.Frames} frames, and no rule fits it. Give it more with --frames, or name a rule with --rule."),
        Unfinished => string.Create(CultureInfo.InvariantCulture, $"The ROM did not end within {settings.Frames} frames. Give it more with --frames, or name the SWI that ends it with --swi."),
        _ when error.Length > 0 => error.Trim(),
        _ when log.FailureInWords is { } words => words,
        _ => string.Create(CultureInfo.InvariantCulture, $"The ROM ended with exit code {code}."),
    };

    private static bool IsGba(string path) => Path.GetExtension(path).ToUpperInvariant() is not (".GB" or ".GBC");
}
