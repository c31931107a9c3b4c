using System.Net.Mime;
using System.CommandLine;
using System.Net.Http.Headers;
using System.Text.Json.Nodes;
using MgbaBridge.Gateway.Operations.Screen;
using MgbaBridge.Gateway.Operations.States;

namespace MgbaBridge.Gateway.Interfaces.CommandLine;

/// <summary><c>screenshot</c>, <c>state save</c> and <c>state load</c>: files of this machine, or slots and files of the machine that mGBA runs on.</summary>
internal static class MachineVerbs
{
    private const string Picture = "screenshot.png";
    private const string PictureType = "image/png";

    /// <summary>Adds them.</summary>
    public static void AddTo(VerbTree tree)
    {
        tree.Add("screenshot", "Save the picture as PNG", command =>
        {
            var file = new Argument<string>("file") { Arity = ArgumentArity.ZeroOrOne, DefaultValueFactory = static _ => Picture, Description = "Where to save it; - is standard output", CompletionSources = { Completions.Files } };
            var scale = new Option<string>("--scale") { HelpName = "NUMBER", Description = ScreenOperations.Scale.Description };
            command.Add(file);
            command.Add(scale);
            GatewayClient.AddOptionsTo(command);
            command.SetAction(async (result, cancelled) =>
            {
                CheckIsPng(result.GetValue(file)!);
                using var client = new GatewayClient(result);
                var query = result.GetResult(scale) is null ? "" : $"?scale={Uri.EscapeDataString(result.GetValue(scale)!)}";
                using var response = await client.SendAsync(HttpMethods.Get, $"/v2/screen{query}", null, [PictureType], static headers => headers.Accept.ParseAdd(PictureType));
                await VerbFiles.SaveAsync(client, response, result.GetValue(file)!, new Display(result), cancelled);
            });
        });
        AddState(tree, "save", "Save a state: as a file of this machine, or in a slot or file beside mGBA", static async (result, client, file, query, cancelled) =>
        {
            using var response = await client.SendAsync(HttpMethods.Get, $"/v2/state{query}", null, [MediaTypeNames.Application.Octet]);
            await VerbFiles.SaveAsync(client, response, file, new Display(result), cancelled);
        });
        AddState(tree, "load", "Load a state: from a file of this machine, or from a slot or file beside mGBA", static async (result, client, file, query, cancelled) =>
        {
            using var content = new ByteArrayContent(await VerbFiles.ReadAsync(file, cancelled));
            content.Headers.ContentType = new MediaTypeHeaderValue(MediaTypeNames.Application.Octet);
            using var response = await client.SendAsync(HttpMethods.Put, $"/v2/state{query}", content);
            new Display(result).Value(await client.ReadJsonAsync(response));
        });
    }

    private static void CheckIsPng(string file)
    {
        var extension = Path.GetExtension(file);
        if (extension.Length > 0 && !extension.Equals(".png", StringComparison.OrdinalIgnoreCase))
        {
            throw VerbException.WrongUsage($"{file} has the extension of another format; screenshots are PNG. Name it {Path.ChangeExtension(file, ".png")}.");
        }
    }

    private static void AddState(VerbTree tree, string move, string summary, Func<ParseResult, GatewayClient, string, string, CancellationToken, Task> transfer) =>
        tree.Add($"state {move}", summary, command =>
        {
            var file = new Argument<string>("file") { Arity = ArgumentArity.ZeroOrOne, Description = $"A file of this machine; - is standard {(move == "save" ? "output" : "input")}", CompletionSources = { Completions.Files } };
            var slot = new Option<int?>("--slot") { HelpName = "NUMBER", Description = StateOperations.Slot.Description };
            var remote = new Option<string>("--file") { HelpName = "NAME", Description = StateOperations.KeptFile.Description };
            var flags = new Option<int?>("--flags") { HelpName = "NUMBER", Description = StateOperations.Flags.Description };
            command.Add(file);
            command.Add(slot);
            command.Add(remote);
            command.Add(flags);
            GatewayClient.AddOptionsTo(command);
            command.SetAction(async (result, cancelled) =>
            {
                using var client = new GatewayClient(result);
                int? kind = result.GetResult(flags) is null ? null : result.GetValue(flags);
                var kept = new JsonObject();
                if (result.GetResult(slot) is not null)
                {
                    kept["slot"] = result.GetValue(slot);
                }

                if (result.GetResult(remote) is not null)
                {
                    kept["file"] = result.GetValue(remote);
                }

                var local = result.GetValue(file);
                if (kept.Count + (local is null ? 0 : 1) != 1)
                {
                    throw VerbException.WrongUsage($"mgba-bridge state {move} needs one of FILE (of this machine), --slot NUMBER and --file NAME (beside mGBA).");
                }

                if (local is not null)
                {
                    await transfer(result, client, local, kind is null ? "" : $"?flags={kind}", cancelled);
                    return;
                }

                if (kind is not null)
                {
                    kept["flags"] = kind;
                }

                new Display(result).Value(await client.SendJsonAsync(HttpMethods.Post, $"/v2/state/{move}", kept));
            });
        });
}
