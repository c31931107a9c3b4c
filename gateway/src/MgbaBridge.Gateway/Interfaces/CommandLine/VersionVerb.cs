using System.Runtime.InteropServices;
using System.Text.Json.Nodes;
using MgbaBridge.Engines.Supervision;

namespace MgbaBridge.Gateway.Interfaces.CommandLine;

/// <summary><c>version</c>: the version of the program and of the script that belongs to it.</summary>
internal static class VersionVerb
{
    /// <summary>The name and the version of the program.</summary>
    public static string Text => $"mgba-bridge {Number}";

    /// <summary>The version of the program.</summary>
    public static string? Number => typeof(VersionVerb).Assembly.GetName().Version?.ToString(3);

    /// <summary>Adds it.</summary>
    public static void AddTo(VerbTree tree) => tree.Add("version", "The version of the program and of its script", command =>
    {
        Display.AddOptionsTo(command);
        command.SetAction(result =>
        {
            var display = new Display(result);
            var version = new JsonObject
            {
                ["version"] = Number,
                ["script"] = EmbeddedScript.Version,
                ["runtime"] = RuntimeInformation.FrameworkDescription,
                ["system"] = RuntimeInformation.RuntimeIdentifier,
            };
            if (display.IsJson)
            {
                display.Line(version.ToJsonString());
                return;
            }

            display.Line(Text);
            foreach (var (name, value) in version.Skip(1))
            {
                display.Line($"{name}: {value}");
            }
        });
    });
}
