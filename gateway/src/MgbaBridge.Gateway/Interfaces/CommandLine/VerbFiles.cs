using MgbaBridge.Gateway.Interfaces.Http;

namespace MgbaBridge.Gateway.Interfaces.CommandLine;

/// <summary>Files of this machine that verbs send and save.</summary>
internal static class VerbFiles
{
    /// <summary>Standard input or standard output.</summary>
    public const string Standard = "-";

    /// <summary>Reads a file.</summary>
    /// <exception cref="VerbException">It cannot be read.</exception>
    public static async Task<byte[]> ReadAsync(string file, CancellationToken cancelled)
    {
        CheckName(file);
        try
        {
            await using var input = file == Standard ? Console.OpenStandardInput() : File.OpenRead(file);
            using var bytes = new MemoryStream();
            var buffer = new byte[64 * 1024];
            while (await input.ReadAsync(buffer, cancelled) is > 0 and var length)
            {
                bytes.Write(buffer, 0, length);
                if (bytes.Length > HttpOptions.LargestBody)
                {
                    throw VerbException.WrongUsage($"{(file == Standard ? "Standard input" : file)} has more than {HttpOptions.LargestBody} bytes, the most that a gateway accepts.");
                }
            }

            return bytes.ToArray();
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw VerbException.File(file, "read", exception);
        }
    }

    /// <summary>Refuses an empty name.</summary>
    /// <exception cref="VerbException">It is empty.</exception>
    public static void CheckName(string file)
    {
        if (file.Length == 0)
        {
            throw VerbException.WrongUsage("FILE is empty; name a file.");
        }
    }

    /// <summary>Saves a response, and says so unless it goes to standard output.</summary>
    /// <exception cref="VerbException">It cannot be written, or the connection ends early.</exception>
    public static async Task SaveAsync(GatewayClient client, HttpResponseMessage response, string file, Display display, CancellationToken cancelled)
    {
        CheckName(file);
        await using var content = await response.Content.ReadAsStreamAsync(cancelled);
        if (file == Standard)
        {
            await using var output = new StandardOutput();
            await CopyAsync(client, content, output, cancelled);
            return;
        }

        try
        {
            long length;
            await using (var output = File.Create(file))
            {
                await CopyAsync(client, content, output, cancelled);
                length = output.Length;
            }

            display.Line(display.IsJson
                ? new System.Text.Json.Nodes.JsonObject { ["file"] = file, ["bytes"] = length }.ToJsonString()
                : $"Saved {file} ({length} bytes).");
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw VerbException.File(file, "written", exception);
        }
    }

    private static async Task CopyAsync(GatewayClient client, Stream content, Stream output, CancellationToken cancelled)
    {
        var buffer = new byte[64 * 1024];
        while (await client.ReceiveAsync(stopping => content.ReadAsync(buffer, stopping).AsTask(), cancelled) is > 0 and var length)
        {
            await output.WriteAsync(buffer.AsMemory(0, length), cancelled);
            await output.FlushAsync(cancelled);
        }
    }
}
