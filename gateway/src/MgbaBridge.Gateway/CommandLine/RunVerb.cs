using System.CommandLine;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using MgbaBridge.Gateway.Hosting;
using MgbaBridge.Gateway.Supervision;

namespace MgbaBridge.Gateway.CommandLine;

/// <summary><c>run</c>: starts emulators and the gateway in one program.</summary>
internal static class RunVerb
{
    private const int FirstPort = 5_000;
    private const int LastPort = 5_099;

    /// <summary>Adds it.</summary>
    public static void AddTo(VerbTree tree, Action<string[]> serve) => tree.Add("run", "Start emulators and the gateway; Ctrl-C saves the games and ends both", command =>
    {
        var roms = new Argument<string[]>("rom") { Arity = ArgumentArity.ZeroOrMore, Description = "ROMs to play, one emulator each; default: the bundled test game" };
        var window = new Option<bool>("--window") { Description = "Play in a window (mgba-qt) instead of without one (mgba-headless)" };
        var fps = new Option<double?>("--fps") { HelpName = "N", Description = "Frames a second, 0 for as fast as possible; default: the console's own rate" };
        var port = new Option<int?>("--port") { HelpName = "PORT", Description = $"HTTP on 127.0.0.1; default: the first free port from {FirstPort}" };
        var noBrowser = new Option<bool>("--no-browser") { Description = "Do not open the page in a browser" };
        command.Add(roms);
        command.Add(window);
        command.Add(fps);
        command.Add(port);
        command.Add(noBrowser);
        command.SetAction(result => serve(SettingsOf(
            result.GetValue(roms) ?? [], result.GetValue(window), result.GetValue(fps), result.GetValue(port), !result.GetValue(noBrowser))));
    });

    private static string[] SettingsOf(string[] roms, bool window, double? fps, int? port, bool browser)
    {
        foreach (var rom in roms)
        {
            if (!File.Exists(rom))
            {
                throw VerbException.WrongUsage(Directory.Exists(rom) ? $"{rom} is a folder; name a GBA, GB or GBC ROM in it." : $"{rom} does not exist; name a GBA, GB or GBC ROM.");
            }
        }

        string[] played = roms.Length == 0 ? [OwnedEmulatorOptions.TestGame] : [.. roms.Select(Path.GetFullPath)];
        return
        [
            .. played.Select((rom, index) => string.Create(CultureInfo.InvariantCulture, $"--Bridge:Owned:Roms:{index}={rom}")),
            string.Create(CultureInfo.InvariantCulture, $"--Bridge:HttpPort={port ?? FreePort()}"),
            .. fps is { } rate ? [string.Create(CultureInfo.InvariantCulture, $"--Bridge:Owned:Fps={rate}")] : Array.Empty<string>(),
            .. window ? ["--Bridge:Owned:Window=true"] : Array.Empty<string>(),
            $"--{RunAnnouncement.Key}={(browser ? RunAnnouncement.WithBrowser : "true")}",
            "--Logging:LogLevel:Default=Warning",
            "--Logging:LogLevel:MgbaBridge.Gateway.Emulator=Error", // the supervisor reports what happens to its emulators
            "--Logging:LogLevel:Microsoft.Hosting.Lifetime=Warning",
        ];
    }

    private static int FreePort()
    {
        for (var port = FirstPort; port <= LastPort; port++)
        {
            using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            try
            {
                socket.Bind(new IPEndPoint(IPAddress.Loopback, port));
                return port;
            }
            catch (SocketException)
            {
                // in use
            }
        }

        return 0;
    }
}
