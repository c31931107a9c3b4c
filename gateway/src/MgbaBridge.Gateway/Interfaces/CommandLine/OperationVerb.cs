using System.CommandLine;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Hosting;

namespace MgbaBridge.Gateway.Interfaces.CommandLine;

/// <summary>One operation as a verb: its request is made from arguments and options, its response is displayed or saved.</summary>
internal sealed class OperationVerb
{
    private readonly Operation _operation;
    private readonly OperationDescription _description;
    private readonly OperationFields _fields;
    private readonly Content? _file;

    private readonly Option<string> _body = new("--body") { HelpName = "JSON", Description = "The whole request body as JSON, instead of its parts" };
    private readonly Argument<string> _sent = new("file") { HelpName = "FILE", Arity = ArgumentArity.ZeroOrOne, Description = "The file to send; - is standard input", CompletionSources = { Completions.Files } };
    private readonly Option<string> _in = new("--in") { HelpName = "FILE", Description = "The same as FILE", CompletionSources = { Completions.Files } };
    private readonly Option<string> _out = new("--out") { HelpName = "FILE", Description = "Where to save the response; - is standard output", CompletionSources = { Completions.Files } };

    private readonly Argument<string> _saved = new("file") { HelpName = "FILE", Arity = ArgumentArity.ZeroOrOne, Description = "The same as --out", CompletionSources = { Completions.Files } };

    public OperationVerb(Operation operation)
    {
        _operation = operation;
        _description = operation.Describe();
        _fields = new OperationFields(operation, _description);
        _file = _description.Contents.FirstOrDefault(answer => answer.JsonType is null && !answer.IsText);
    }

    private bool HasJsonBody => _description.Body is { IsFile: false };

    private bool HasFileBody => _description.Body is { IsFile: true };

    // after arguments that are parts of a JSON body a file would be one more of them
    private bool HasFileArgument => _file is not null && _description.Body is null;

    private bool HasJsonAnswer => _description.Contents.Any(answer => answer.JsonType is not null);

    // server-sent events, whose data is JSON already
    private bool IsStream => _description.Contents.Any(answer => answer.MediaType == WatchVerb.EventStream);

    /// <summary>Adds its arguments, options and action to a command.</summary>
    public void Complete(Command command)
    {
        if (_operation.Description is { } description)
        {
            command.Description = $"{_operation.Summary}. {description}";
        }

        _fields.AddTo(command);
        if (HasFileBody)
        {
            command.Add(_sent);
        }

        if (HasFileArgument)
        {
            command.Add(_saved);
        }

        foreach (var option in new[] { (_body, HasJsonBody), (_in, HasFileBody), (_out, _file is not null) })
        {
            if (option.Item2)
            {
                command.Add(option.Item1);
            }
        }

        GatewayClient.AddOptionsTo(command, _operation.IsPerEmulator);
        command.SetAction((result, cancelled) => RunAsync(result, cancelled));
    }

    private async Task<int> RunAsync(ParseResult result, CancellationToken cancelled)
    {
        var path = _fields.Path(result);
        using var content = await BodyAsync(result, cancelled);
        using var client = new GatewayClient(result);
        var display = new Display(result);
        var output = _file is null ? null : HasFileArgument && result.GetValue(_saved) is { } saved ? saved : result.GetResult(_out) is null ? null : result.GetValue(_out);
        VerbFiles.CheckName(output ?? VerbFiles.Standard);

        if (output is null && !HasJsonAnswer && _file is not null)
        {
            if (display.IsJson)
            {
                throw VerbException.WrongUsage("The response is a file; save it with --out FILE, and --json describes it.");
            }

            output = display.IsTerminal ? throw VerbException.WrongUsage("The response is a file; say where to save it with --out FILE, or redirect the output.") : "-";
        }

        using var response = await client.SendAsync(_operation.Method, path, content, [.. _description.Contents.Select(answer => answer.MediaType.Split(';')[0])], headers =>
        {
            _fields.SetHeaders(result, headers);
            if ((output is null ? _description.Contents.FirstOrDefault(answer => answer.JsonType is not null) : _file) is { } answer)
            {
                headers.Accept.Add(MediaTypeWithQualityHeaderValue.Parse(answer.MediaType));
            }
        });
        if (output is not null)
        {
            await VerbFiles.SaveAsync(client, response, output, display, cancelled);
        }
        else if (HasJsonAnswer)
        {
            var answer = await client.ReadJsonAsync(response);
            display.Value(answer);
            return _operation.Outcome is { } outcome && answer.ValueKind == JsonValueKind.Object && answer.TryGetProperty(outcome, out var met) && met.ValueKind == JsonValueKind.False
                ? ExitCodes.NotMet
                : ExitCodes.Done;
        }
        else if (display.IsJson && !IsStream)
        {
            display.Line(JsonValue.Create(Encoding.UTF8.GetString(await client.ReadBytesAsync(response))).ToJsonString());
        }
        else
        {
            await VerbFiles.SaveAsync(client, response, VerbFiles.Standard, display, cancelled);
        }

        return ExitCodes.Done;
    }

    private async Task<HttpContent?> BodyAsync(ParseResult result, CancellationToken cancelled)
    {
        if (HasFileBody)
        {
            if ((result.GetValue(_sent) ?? result.GetValue(_in)) is not { } file)
            {
                return _description.BodyIsOptional ? null : throw VerbException.WrongUsage($"{ArgumentErrors.FullName(result)} needs FILE; - is standard input.");
            }

            var bytes = new ByteArrayContent(await VerbFiles.ReadAsync(file, cancelled));
            bytes.Headers.ContentType = MediaTypeHeaderValue.Parse(_description.Body!.MediaType);
            return bytes;
        }

        if (!HasJsonBody)
        {
            return null;
        }

        var json = _fields.Body(result, result.GetResult(_body) is null ? null : result.GetValue(_body));
        return json is null && _description.BodyIsOptional ? null : new StringContent(json ?? "{}", Encoding.UTF8, "application/json");
    }
}
