using System.Net.Http.Headers;
using MgbaBridge.Gateway.Interfaces.Http;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;

namespace MgbaBridge.Gateway.Interfaces.Mcp.Server;

/// <summary>Serves MCP on standard input and output of a gateway that was started for it, and ends the gateway when the input ends.</summary>
internal sealed class StdioHost(IServer server, HttpOptions http, IConfiguration configuration, IHostApplicationLifetime lifetime) : IHostedService
{
    /// <summary>The configuration key that turns it on.</summary>
    public const string Key = "Mcp:Stdio";

    /// <summary>The configuration key of the token that it uses if the settings have only hashes of tokens.</summary>
    public const string TokenKey = "Mcp:StdioToken";

    /// <summary>The configuration key of the toolsets that the client gets besides the usual tools.</summary>
    public const string ToolsetsKey = "Mcp:StdioToolsets";

    public Task StartAsync(CancellationToken cancellationToken)
    {
        lifetime.ApplicationStarted.Register(() => _ = Task.Run(RunAsync, CancellationToken.None)); // then the address is known
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    private async Task RunAsync()
    {
        try
        {
            var address = server.Features.Get<IServerAddressesFeature>()!.Addresses.First();
            var token = http.Token is { Length: > 0 } own ? own : configuration[TokenKey];
            using var forwarder = new StdioForwarder(new Uri(address), token is null ? null : new AuthenticationHeaderValue("Bearer", token), Console.OpenStandardOutput(), configuration[ToolsetsKey]);
            await forwarder.RunAsync(Console.OpenStandardInput(), lifetime.ApplicationStopping);
        }
        finally
        {
            lifetime.StopApplication();
        }
    }
}
