using MgbaBridge.Gateway.Hosting;

namespace MgbaBridge.Gateway.CommandLine;

/// <summary>Ends a verb with an exit code and one sentence.</summary>
internal sealed class VerbException(int exitCode, string sentence) : Exception(sentence)
{
    /// <summary>The exit code of the program.</summary>
    public int ExitCode { get; } = exitCode;

    /// <summary>The command line is wrong.</summary>
    public static VerbException WrongUsage(string sentence) => new(ExitCodes.WrongUsage, sentence);

    /// <summary>A file of this machine cannot be read or written.</summary>
    public static VerbException File(string file, string purpose, Exception exception) => new(ExitCodes.FileError, exception switch
    {
        FileNotFoundException or DirectoryNotFoundException => $"{file} cannot be {purpose}: there is no such file or folder.",
        UnauthorizedAccessException when Directory.Exists(file) => $"{file} cannot be {purpose}: it is a folder.",
        UnauthorizedAccessException => $"{file} cannot be {purpose}: permission denied.",
        _ => $"{file} cannot be {purpose}: {exception.Message}",
    });
}
