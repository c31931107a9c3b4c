using System.CommandLine;
using System.Net.Http.Headers;
using System.Runtime.InteropServices;
using System.Text.Json.Nodes;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Doctor;
using MgbaBridge.Gateway.Hosting;

namespace MgbaBridge.Gateway.Interfaces.CommandLine;

/// <summary><c>doctor</c>: checks from the program to the game, and names the next step. Its settings are those of <c>serve</c>.</summary>
internal static class DoctorVerb
{
    private static readonly TimeSpan FrameInterval = TimeSpan.FromSeconds(1);

    /// <summary>Adds it.</summary>
    public static void AddTo(VerbTree tree) => tree.Add("doctor", "Check everything from the program to the game, and name the next step", command =>
    {
        var roms = new Argument<string[]>("rom") { Arity = ArgumentArity.ZeroOrMore, Description = "ROMs that `mgba-bridge run` is to play. Settings of the gateway may stand beside them, as --Bridge:Section:Name=value", CompletionSources = { Completions.Files } };
        command.Add(roms);
        ServeArguments.AddTo(command, [.. ServeArguments.Options.Select(static option => option.Name)]);
        GatewayClient.AddAddressTo(command);
        Display.AddOptionsTo(command);
        command.SetAction(async (result, cancelled) =>
        {
            var given = (result.GetValue(roms) ?? []).ToLookup(ServeArguments.IsSetting);
            var findings = await CheckAsync(ServeArguments.Read(result, given[true]), [.. given[false]], GatewayClient.AddressOf(result), cancelled);
            Show(new Display(result), findings);
            return findings.Any(finding => finding.Level == FindingLevel.Problem) ? ExitCodes.Refused : ExitCodes.Done;
        });
    });

    private static async Task<IReadOnlyList<Finding>> CheckAsync(
        string[] arguments, string[] roms, (Uri Url, AuthenticationHeaderValue? Token, bool IsChosen) chosen, CancellationToken cancellationToken)
    {
        var version = Version.Parse(EmbeddedScript.Version!);
        List<Finding> findings = [Finding.Ok("program", $"{VersionVerb.Text}, {RuntimeInformation.FrameworkDescription}, {RuntimeInformation.RuntimeIdentifier}.")];
        if (OpenSsl.Missing is { } missing)
        {
            return [.. findings, Finding.Problem("openssl", missing, OpenSsl.Install)]; // the other checks would end the program
        }

        BridgeOptions options;
        Uri url;
        bool isChosen;
        try
        {
            var builder = WebApplication.CreateSlimBuilder(arguments);
            options = Settings.Read(builder.Configuration, arguments);
            builder.AddNames(options);
            builder.CheckWhereToListen(options);
            isChosen = chosen.IsChosen && !arguments.Any(NamesAddress);
            url = isChosen ? chosen.Url : ServiceRegistration.WhereToListen(builder.Configuration, options);
            findings.Add(Finding.Ok("settings", "valid."));
        }
        catch (Exception exception) when (StartFailures.IsOfTheSettings(exception))
        {
            var sentences = (exception as SettingsException)?.Sentences ?? [StartFailures.Judge(exception).Sentence];
            return [.. findings, .. sentences.Select(sentence => Finding.Problem("settings", sentence, "Correct the setting; docs/settings.md lists all."))];
        }

        using var gateway = new GatewayCheck(url, chosen.Token?.Parameter ?? (string.IsNullOrEmpty(options.Http.Token) ? null : options.Http.Token), version, isChosen);
        findings.AddRange(await gateway.RunAsync(cancellationToken));
        var found = await ScriptsAsync(options, gateway.MayHaveEmulator, gateway.IsRunning, cancellationToken);
        var isNothingThere = !gateway.IsRunning && options.Emulators.Length == 0 && !found.Any(static search => search.IsFound || search.IsSilent || search.HasOther);
        string[] played = [.. roms, .. options.Owned.Roms];
        if ((isNothingThere && !isChosen) || played.Length > 0)
        {
            findings.AddRange(await new RunCheck(options.Owned, played).RunAsync(cancellationToken));
        }

        return isChosen && !gateway.IsRunning ? findings : [.. findings, .. gateway.IsRunning ? [] : new[] { WithoutGateway(gateway.Address, isNothingThere, played) }, .. isNothingThere ? [] : found.SelectMany(search => search.Findings)];
    }

    private static async Task<IReadOnlyList<ScriptSearchResult>> ScriptsAsync(BridgeOptions options, bool hasEmulators, bool isServed, CancellationToken cancellationToken)
    {
        List<ScriptSearchResult> results = [];
        foreach (var emulators in options.EmulatorsOrDefault.Select(emulator => emulator.Address).ToLookup(address => address with { Nonce = null }, address => address.Nonce))
        {
            var search = new ScriptSearch(emulators.Key, emulators.OfType<string>(), options.Transport, new ScriptCheck(FrameInterval, isServed));
            var found = await search.RunAsync(cancellationToken);
            if (options.Emulators.Length == 0 && hasEmulators && !found.IsFound)
            {
                continue; // the running gateway has, or without its token may have, an emulator elsewhere, for example one that it started
            }

            results.Add(found);
        }

        return results;
    }

    private static Finding WithoutGateway(string address, bool isNothingThere, string[] roms) => (isNothingThere, roms) switch
    {
        (true, []) => Finding.Problem(
            "gateway", $"no gateway runs at {address}, and no script of a game was found (`mgba-bridge script` writes the one for the window of mGBA).",
            "Start the demo game, or name another ROM behind it").By(TypedProgram.Command("run")),
        (_, [var rom, ..]) => Finding.Warning("gateway", $"no gateway runs at {address}.", "Start the game").By(TypedProgram.Command($"run {TypedProgram.Quoted(rom)}")),
        _ => Finding.Warning("gateway", $"no gateway runs at {address}.", "Start the gateway").By(TypedProgram.Command("serve")),
    };

    private static bool NamesAddress(string setting) =>
        setting.StartsWith("--Bridge:HttpPort=", StringComparison.OrdinalIgnoreCase) || setting.StartsWith("--urls=", StringComparison.OrdinalIgnoreCase);

    private static void Show(Display display, IReadOnlyList<Finding> findings)
    {
        var first = Finding.First(findings);
        if (display.IsJson)
        {
            display.Line(new JsonObject
            {
                ["ok"] = findings.All(finding => finding.Level != FindingLevel.Problem),
                ["findings"] = new JsonArray([.. findings.Select(finding => new JsonObject
                {
                    ["check"] = finding.Check,
                    ["level"] = Name(finding.Level),
                    ["text"] = finding.Text,
                    ["next"] = finding.Next,
                    ["command"] = finding.Command,
                })]),
                ["next"] = first?.Next,
                ["command"] = first?.Command,
            }.ToJsonString());
            return;
        }

        foreach (var finding in findings)
        {
            display.Line(Display.Plain($"{Name(finding.Level),-8}{finding.Check}: {finding.Text}").ReplaceLineEndings(" "));
        }

        display.Line($"next: {first?.Next ?? "nothing to do."}");
    }

    private static string Name(FindingLevel level) => level switch
    {
        FindingLevel.Ok => "ok",
        FindingLevel.Warning => "warning",
        _ => "problem",
    };
}
