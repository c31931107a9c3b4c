using System.CommandLine;
using System.Globalization;
using MgbaBridge.Engines.Bundled;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Diagnostics;
using MgbaBridge.Gateway.Hosting;
using MgbaBridge.Gateway.Security;

namespace MgbaBridge.Gateway.Interfaces.CommandLine;

/// <summary><c>run</c> and <c>play</c>: start emulators and the gateway in one program.</summary>
internal static class RunVerb
{
    /// <summary>Adds them.</summary>
    public static void AddTo(VerbTree tree, Action<string[]> serve)
    {
        tree.Add("play", "Play a game on the page; the same as run", command => Complete(command, serve));
        tree.Add("run", "Start emulators and the gateway, and open the page; Ctrl-C saves the games and ends both", command => Complete(command, serve));
    }

    private static void Complete(Command command, Action<string[]> serve)
    {
        var roms = new Argument<string[]>("rom")
        {
            Arity = ArgumentArity.ZeroOrMore,
            Description = "ROMs to play, one emulator each; default: :demo:, the bundled demo game. Settings of the gateway may stand beside them, as --Bridge:Section:Name=value",
            CompletionSources = { Completions.Files },
        };
        var port = new Option<int?>("--port", "--http-port") { HelpName = "PORT", Description = $"HTTP on 127.0.0.1; default: the first free port from {FirstFreePort.First}" };
        var scriptPort = new Option<int?>("--script-port")
        {
            HelpName = "PORT",
            Description = "The port of the script in the first emulator, further emulators take the next ones; default: free ports",
        };
        var share = new Option<bool>("--share")
        {
            Description = "Let others of the local network play: listen on all addresses, and print a link to the page for guests, valid for a day, and its QR code",
        };
        var shareAs = new Option<string?>("--share-as")
        {
            HelpName = "ROLE",
            Description = "The same with a link for a viewer, who only watches, or a player, who can also take control of the game; default: guest",
        }.AcceptOnlyFromAmong([.. Roles.ByName.Where(static role => role.Value < Role.Owner).Select(static role => role.Key)]);
        var noBrowser = new Option<bool>("--no-browser") { Description = "Do not open the page in a browser" };
        var archipelago = new Option<bool>("--archipelago") { Description = "Serve Archipelago's BizHawk client (docs/doors.md)" };
        var retroArch = new Option<bool>("--retroarch") { Description = "Serve clients of RetroArch's Network Control Interface (docs/doors.md)" };
        var uat = new Option<bool>("--uat") { Description = "Serve trackers that use Universal Auto-Tracking (docs/doors.md)" };
        var json = new Option<bool>("--json") { Description = "Write the addresses, ports and process ids as one line of JSON, and what is logged to standard error; implies --no-browser" };
        command.Add(roms);
        var emulators = new EmulatorArguments(command);
        foreach (var option in new Option[] { port, scriptPort, share, shareAs, archipelago, retroArch, uat, noBrowser, json })
        {
            command.Add(option);
        }

        ServeArguments.AddTo(command, "--urls", "--contentRoot");
        (Option Option, string Setting)[] doors = [(archipelago, "BizHawk"), (retroArch, "RetroArch"), (uat, "Uat")];
        Role? SharedRole(ParseResult result) => result.GetValue(shareAs) is { } name ? Roles.ByName[name] : result.GetValue(share) ? Role.Guest : null;
        command.SetAction(result => serve(
        [
            .. SettingsOf([.. (result.GetValue(roms) ?? []).Where(rom => !ServeArguments.IsSetting(rom))], result.GetValue(port), result.GetValue(scriptPort), SharedRole(result) is null ? "127.0.0.1" : "0.0.0.0"),
            .. SharedRole(result) is { } role ? ShareSettings(role) : [],
            .. emulators.SettingsOf(result),
            .. doors.Where(row => result.GetResult(row.Option) is { Implicit: false }).Select(row => $"--Bridge:Doors:{row.Setting}:Enabled={ServeArguments.ValueOf(result.GetResult(row.Option)!)}"),
            $"--{RunAnnouncement.Key}={(result.GetValue(json) ? RunAnnouncement.AsJson : result.GetValue(noBrowser) ? "true" : RunAnnouncement.WithBrowser)}",
            .. result.GetValue(json) ? ["--Logging:Console:LogToStandardErrorThreshold=Trace"] : Array.Empty<string>(),
            .. ServeArguments.Read(result, (result.GetValue(roms) ?? []).Where(ServeArguments.IsSetting)),
        ]));
    }

    // the user's own page needs a token, too, once there is one
    private static string[] ShareSettings(Role role)
    {
        VerbException.CheckOpenSsl();
        return
        [
            $"--{RunAnnouncement.ShareKey}={role.Name()}",
            .. string.IsNullOrEmpty(Environment.GetEnvironmentVariable("Bridge__Http__Token")) ? [$"--Bridge:Http:Token={Credential.NewToken()}"] : Array.Empty<string>(),
        ];
    }

    /// <summary>Adds <c>node</c>: a host of a fleet, which takes the settings of the gateway.</summary>
    public static void AddNodeTo(VerbTree tree, Action<string[]> serve) => tree.Add("node", "Run sessions of a fleet on this machine (docs/fleet.md)", command =>
    {
        ServeArguments.AddTo(command);
        command.SetAction(result => serve([$"--{FleetRegistration.NodeKey}=true", "--Bridge:HttpPort=0", .. ServeArguments.Read(result)]));
    });

    /// <summary>The settings of a gateway that plays ROMs, or the bundled demo game.</summary>
    public static IEnumerable<string> SettingsOf(string[] roms, int? port, int? scriptPort, string address = "127.0.0.1")
    {
        foreach (var rom in roms.Where(static rom => !BundledGames.Has(rom)))
        {
            if (RomFolders.Problem(rom) is { } problem)
            {
                throw VerbException.WrongUsage(problem);
            }
        }

        CheckIsFree("--port", port);
        foreach (var other in Enumerable.Range(0, Math.Max(1, roms.Length)))
        {
            CheckIsFree("--script-port", scriptPort + other);
        }

        string[] played = roms.Length == 0 ? [BundledGames.Demo] : [.. roms.Select(static rom => BundledGames.Has(rom) ? rom : Path.GetFullPath(rom))];
        return
        [
            "--Logging:LogLevel:Default=Warning",
            "--Logging:LogLevel:MgbaBridge.Client.Emulator=Error", // the supervisor reports what happens to its emulators
            "--Logging:LogLevel:Microsoft.Hosting.Lifetime=Warning",
            .. played.Select((rom, index) => string.Create(CultureInfo.InvariantCulture, $"--Bridge:Owned:Roms:{index}={rom}")),

            // the URL goes before addresses in the environment
            .. port is null ? Array.Empty<string>() : [string.Create(CultureInfo.InvariantCulture, $"--Bridge:HttpPort={port}"), $"--urls={Loopback.UrlsOf(address, port.Value)}"],
            .. scriptPort is null ? Array.Empty<string>() : [string.Create(CultureInfo.InvariantCulture, $"--Bridge:Owned:ScriptPort={scriptPort}")],
        ];
    }

    private static void CheckIsFree(string option, int? port)
    {
        if (port is > 0 and <= ushort.MaxValue && ProcessLookup.Listener(port.Value) is { } owner)
        {
            throw new VerbException(
                ExitCodes.CannotListen, string.Create(CultureInfo.InvariantCulture, $"Port {port} is in use by {owner}. End that program, choose another port with {option}, or omit {option} to use a free one."));
        }
    }
}
