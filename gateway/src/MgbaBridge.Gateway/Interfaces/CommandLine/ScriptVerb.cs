using System.CommandLine;
using System.Text;
using System.Text.Json.Nodes;
using MgbaBridge.Engines.Supervision;

namespace MgbaBridge.Gateway.Interfaces.CommandLine;

/// <summary><c>script</c>: writes the Lua script and explains how to load it.</summary>
internal static class ScriptVerb
{
    private static string Loading(string path) => $"""
        Load it in mGBA:
          0.10  open mGBA and the game, pause it (Ctrl+P; 0.10.1 may crash otherwise), Tools > Scripting..., File > Load script...,
                choose the file, continue the game
          0.11  the same, or start mGBA with it: mgba-qt --script {path} GAME
        The console of the Scripting window then shows the port. Next: mgba-bridge serve
        """;

    /// <summary>Adds it.</summary>
    public static void AddTo(VerbTree tree) => tree.Add("script", "Write the Lua script for mGBA, and explain how to load it", command =>
    {
        var file = new Argument<string>("file")
        {
            Arity = ArgumentArity.ZeroOrOne,
            DefaultValueFactory = static _ => EmbeddedScript.Name,
            Description = "Where to write it; - is standard output",
            CompletionSources = { Completions.Files },
        };
        var force = new Option<bool>("--force") { Description = "Replace a file that is not an mGBA-bridge script" };
        command.Add(file);
        command.Add(force);
        Display.AddOptionsTo(command);
        command.SetAction(result => Write(result.GetValue(file)!, result.GetValue(force), new Display(result)));
    });

    private static void Write(string file, bool isForced, Display display)
    {
        VerbFiles.CheckName(file);
        if (file == VerbFiles.Standard)
        {
            using var output = new StandardOutput();
            output.Write(EmbeddedScript.Bytes);
            return;
        }

        var path = Path.GetFullPath(Directory.Exists(file) ? Path.Combine(file, EmbeddedScript.Name) : file);
        try
        {
            if (!isForced && File.Exists(path) && EmbeddedScript.VersionOf(StartOf(path)) is null)
            {
                throw VerbException.WrongUsage($"{path} exists and is not an mGBA-bridge script; choose another file, or replace it with --force.");
            }

            File.WriteAllBytes(path, EmbeddedScript.Bytes);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw VerbException.File(path, "written", exception);
        }

        display.Line(display.IsJson
            ? new JsonObject { ["file"] = path, ["version"] = EmbeddedScript.Version }.ToJsonString()
            : $"Wrote {path} (version {EmbeddedScript.Version}).{Environment.NewLine}{Loading(path)}");
    }

    // not more: the path may be that of a device without an end
    private static string StartOf(string path)
    {
        using var file = File.OpenRead(path);
        var bytes = new byte[2 * EmbeddedScript.Bytes.Length];
        return Encoding.UTF8.GetString(bytes, 0, file.ReadAtLeast(bytes, bytes.Length, throwOnEndOfStream: false));
    }
}
