using System.Net.Sockets;
using MgbaBridge.Gateway.Fleet.Links;
using Microsoft.AspNetCore.Connections;

namespace MgbaBridge.Gateway.Hosting;

/// <summary>Says once, in a sentence, why the gateway did not start.</summary>
internal static class StartFailures
{
    /// <summary>Whether it came from the command line, the environment or the settings file.</summary>
    public static bool IsOfTheSettings(Exception exception) =>
        exception is SettingsException or InvalidDataException or FormatException or DirectoryNotFoundException;

    /// <summary>Says it, and returns the exit code.</summary>
    public static async Task<int> ReportAsync(Exception exception)
    {
        var (code, sentence) = Judge(exception);
        await Console.Error.WriteLineAsync(sentence);
        return code;
    }

    private static (int Code, string Sentence) Judge(Exception exception) => exception switch
    {
        SettingsException => (ExitCodes.BadSettings, exception.Message),
        DirectoryNotFoundException => (ExitCodes.BadSettings, $"There is no folder {exception.Message}. Give --contentRoot as an absolute path."),
        _ when IsOfTheSettings(exception) => (ExitCodes.BadSettings, $"{exception.Message} {exception.InnerException?.Message}".TrimEnd()),
        IOException { InnerException: AddressInUseException } => (
            ExitCodes.CannotListen,
            $"{exception.Message.TrimEnd('.')}. Perhaps another gateway runs. Set Bridge:HttpPort (--http-port) to a free port; 0 takes any. To take over from one, start both with --reuse-port."),
        FleetLinkException => (ExitCodes.CannotListen, exception.Message),
        EmulatorStartException => (ExitCodes.CannotStart, exception.Message),
        SocketException => (
            ExitCodes.CannotListen,
            $"The gateway cannot listen: {exception.Message}. Set Bridge:HttpPort (--http-port) or --urls to a port and an address of this machine that you may use."),
        _ => (ExitCodes.CannotStart, $"The gateway cannot start: {exception}"),
    };
}
