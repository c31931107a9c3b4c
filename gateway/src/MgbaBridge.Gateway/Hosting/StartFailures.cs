using System.Net.Sockets;
using MgbaBridge.Fleet.Links;
using Microsoft.AspNetCore.Connections;

namespace MgbaBridge.Gateway.Hosting;

/// <summary>Says once, in a sentence, why the gateway did not start.</summary>
internal static class StartFailures
{
    private const int MaxLine = 1_000;

    /// <summary>Whether it came from the command line, the environment or the settings file.</summary>
    public static bool IsOfTheSettings(Exception exception) =>
        exception is SettingsException or InvalidDataException or FormatException or DirectoryNotFoundException or FileNotFoundException or UnauthorizedAccessException;

    /// <summary>Whether the folder in which the program was started has been deleted: .NET throws this without a file.</summary>
    public static bool IsOfTheCurrentFolder(Exception exception) => exception is FileNotFoundException { FileName: null };

    /// <summary>What to do then.</summary>
    public const string NoCurrentFolder = "The current folder does not exist any more. Change to another one.";

    /// <summary>Says it, and returns the exit code.</summary>
    public static async Task<int> ReportAsync(Exception exception)
    {
        var (code, sentence) = Judge(exception);
        await SayAsync(Console.Error, sentence);
        return code;
    }

    /// <summary>Writes a sentence, or several on a line each, unless it is empty or nobody reads it.</summary>
    public static async Task SayAsync(TextWriter error, string sentence)
    {
        try
        {
            if (sentence.Length > 0)
            {
                await error.WriteLineAsync(string.Join(Environment.NewLine, sentence.Split(Environment.NewLine).Select(Shortened)));
            }
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // standard error is closed or full; the exit code remains
        }
    }

    /// <summary>The exit code and the sentence for a failure.</summary>
    public static (int Code, string Sentence) Judge(Exception exception) => exception switch
    {
        SettingsException => (ExitCodes.BadSettings, exception.Message),
        DirectoryNotFoundException => (ExitCodes.BadSettings, $"There is no folder {exception.Message}. Set --contentRoot to the folder of appsettings.json, or leave it out."),
        _ when IsOfTheCurrentFolder(exception) => (ExitCodes.BadSettings, NoCurrentFolder),
        UnauthorizedAccessException => (ExitCodes.BadSettings, $"{exception.Message} Let the user of the gateway read it, or choose another folder with --contentRoot."),
        _ when IsOfTheSettings(exception) => (ExitCodes.BadSettings, $"{exception.Message} {exception.InnerException?.Message}".TrimEnd()),
        IOException { InnerException: AddressInUseException } => (
            ExitCodes.CannotListen,
            $"{exception.Message.TrimEnd('.')}. Perhaps another gateway runs. Set Bridge:HttpPort (--http-port) to a free port; 0 takes any. To take over from one, start both with --reuse-port."),
        FleetLinkException => (ExitCodes.CannotListen, exception.Message),
        EmulatorStartException => (ExitCodes.CannotStart, exception.Message),
        SocketException => (
            ExitCodes.CannotListen,
            $"The gateway cannot listen: {exception.Message}. Set Bridge:HttpPort (--http-port) or --urls to a port and an address of this machine that you may use."),
        IOException => (ExitCodes.CannotStart, exception.Message),
        _ => (ExitCodes.CannotStart, $"The gateway cannot start: {string.Join(": ", Causes(exception).Select(cause => $"{cause.GetType().Name}: {cause.Message}"))}"),
    };

    // a sentence repeats the value that is wrong, which may be of any length
    private static string Shortened(string line) =>
        line.Length <= MaxLine ? line : $"{line[..(MaxLine / 2)]} [{line.Length - MaxLine} characters] {line[^(MaxLine / 2)..]}";

    private static IEnumerable<Exception> Causes(Exception exception)
    {
        for (var cause = exception; cause is not null; cause = cause.InnerException)
        {
            yield return cause;
        }
    }
}
