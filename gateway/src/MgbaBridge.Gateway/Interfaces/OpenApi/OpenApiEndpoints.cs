using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization;
using MgbaBridge.Gateway.Interfaces.Http;
using MgbaBridge.Gateway.Interfaces.WebSockets;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Operations.Events;
using MgbaBridge.Gateway.Security;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Http.Json;
using Microsoft.AspNetCore.OpenApi;
using Microsoft.OpenApi;

namespace MgbaBridge.Gateway.Interfaces.OpenApi;

/// <summary>The document that describes this API, and a page to read and try it.</summary>
public static class OpenApiEndpoints
{
    private static readonly JsonSerializerOptions Indented = new() { WriteIndented = true, Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    private const string DocumentPath = "/openapi/v1.json";
    private const string TokenScheme = "token";
    private const string Messages = "messages"; // the document whose schemas are those of the AsyncAPI document
    private const string AsyncApiPath = "/asyncapi.json";
    private const string Compatible = "A path of mGBA-http, for bots that were written for it.";

    /// <summary>The version that both documents have.</summary>
    internal static string? Version => typeof(OpenApiEndpoints).Assembly.GetName().Version?.ToString(3);

    /// <summary>What both documents say about tokens.</summary>
    internal static string AboutTokens { get; } = "A token of `Bridge:Http:Tokens`; its role must be that of the operation (`x-role`) or a higher one: "
        + $"{string.Join(", ", Roles.ByName.Keys)}. A gateway without tokens lets in its own machine only, as owner.";

    // in the order in which people look for them; the page shows them so
    private static readonly (string Name, string Description)[] Groups =
    [
        ("Status", "Status of the gateway and the emulators."),
        ("Game", "Which game runs, and what its emulator can do."),
        ("Keys", "What is pressed, and by whom."),
        ("Cartridge", "Its sensors and its clock."),
        ("Memory", "Numbers and bytes, by address."),
        ("Cheats", "Codes that mGBA applies to the game."),
        ("Names", "The same by symbols and property maps."),
        ("Search", "Which address is it? A RAM search."),
        ("Registers", "The processor's."),
        ("Debugging", "Breakpoints, watchpoints, steps of instructions, code as text, and the console's devices (docs/debugging.md)."),
        ("Screen", "The picture, once or as a stream."),
        ("Sound", "The sound, as a stream."),
        ("Video", "What the picture is made of: palettes, tiles, backgrounds, their text, and sprites."),
        ("Playing", "Batches, waits, exact steps, and all operations over a WebSocket."),
        ("Learning", "Steps of several emulators in one request, and scenarios: rewards and ends of games."),
        ("Emulators", "Emulators that the gateway starts, watches and stops."),
        ("Fleet", "Emulators on several machines (docs/fleet.md)."),
        ("Guests", "Links by which other people play along, and ending them."),
        ("Agents", "Programs that play through MCP (`/mcp`, docs/agents.md): what they do, and pausing them."),
        ("Votes", "Votes of an audience over what is pressed (docs/audience.md)."),
        ("Events", "Receive events instead of polling."),
        ("State", "The whole machine."),
        ("Recording", "What was pressed, again; and going back."),
        ("Files", "Games and save files, where mGBA runs."),
        ("Echo", "A message to the script and back."),
        ("Button", Compatible),
        ("Core", Compatible),
        ("Console", Compatible),
        ("CoreAdapter", Compatible),
        ("Extension", Compatible),
        ("MemoryDomain", Compatible),
    ];

    /// <summary>Adds what is needed to write the document.</summary>
    public static void AddApiDocument(this IServiceCollection services)
    {
        services.AddOptions<JsonOptions>().Configure<OperationList>(static (json, operations) =>
        {
            IEnumerable<JsonSerializerContext> contexts = [ProblemJson.Default, CommonJson.Default, WebSocketJson.Default, EventJson.Default, .. operations.All.SelectMany(operation => operation.JsonContexts)];
            foreach (var (index, context) in contexts.Distinct().Index())
            {
                json.SerializerOptions.TypeInfoResolverChain.Insert(index, context);
            }

            json.SerializerOptions.NumberHandling = ProblemJson.Default.Options.NumberHandling;
        });
        services.AddOpenApi("v1", document =>
        {
            document.OpenApiVersion = OpenApiSpecVersion.OpenApi3_1;
            document.AddSchemaTransformer(new SchemaTransformer());
            document.AddDocumentTransformer<OperationsTransformer>();
            document.AddDocumentTransformer((document, context, _) =>
            {
                document.Info = new OpenApiInfo
                {
                    Title = "mGBA-bridge",
                    Version = Version,
                    License = new OpenApiLicense { Name = "MIT", Identifier = "MIT" },
                    Contact = new OpenApiContact { Name = "mGBA-bridge contributors" },
                    Description = "Drives mGBA over HTTP. Every response has the frame (`Mgba-Frame`) and the epoch (`Mgba-Epoch`) that it belongs to; "
                        + "every failure below `/v2` is a problem (RFC 9457) with a `detail` that says what to do. The messages of the WebSocket and of events: "
                        + "[/docs/messages](/docs/messages), or AsyncAPI at `/asyncapi.json`.",
                };
                document.Tags = Tags();
                document.Servers =
                [
                    new OpenApiServer { Url = "/", Description = "The first emulator." },
                    new OpenApiServer
                    {
                        Url = "{gateway}/i/{id}",
                        Description = "One of several emulators; GET /v2/emulators lists them.",
                        Variables = new Dictionary<string, OpenApiServerVariable>
                        {
                            ["gateway"] = new() { Default = AddressOf(context.ApplicationServices), Description = "The gateway's address." },
                            ["id"] = new() { Default = "1", Description = "The emulator's id." },
                        },
                    },
                ];
                document.AddComponent<IOpenApiSecurityScheme>(TokenScheme, new OpenApiSecurityScheme
                {
                    Type = SecuritySchemeType.Http,
                    Scheme = "bearer",
                    Description = AboutTokens,
                });
                document.Security = [new OpenApiSecurityRequirement { [new OpenApiSecuritySchemeReference(TokenScheme, document)] = [] }];
                return Task.CompletedTask;
            });
        });
        services.AddSingleton<AsyncApiDocument>();
        services.AddOpenApi(Messages, document =>
        {
            document.AddSchemaTransformer(new SchemaTransformer());
            document.AddDocumentTransformer<MessagesTransformer>();
        });
    }

    /// <summary>Where the gateway listens.</summary>
    internal static string AddressOf(IServiceProvider services)
    {
        var address = services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()?.Addresses.FirstOrDefault() ?? "http://localhost";
        return address.Replace("0.0.0.0", "127.0.0.1", StringComparison.Ordinal).Replace("[::]", "127.0.0.1", StringComparison.Ordinal);
    }

    private static async Task<JsonObject> MessagesAsync(IServiceProvider services)
    {
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding); // it takes long, see SocketThreads
        await services.GetRequiredKeyedService<IOpenApiDocumentProvider>(Messages).GetOpenApiDocumentAsync();
        return services.GetRequiredService<AsyncApiDocument>().Json!;
    }

    private static HashSet<OpenApiTag> Tags() => [.. Groups.Select(group => new OpenApiTag { Name = group.Name, Description = group.Description })];

    /// <summary>Adds <c>GET /openapi/v1.json</c> and <c>GET /asyncapi.json</c>, and the pages <c>/docs</c> and <c>/docs/messages</c>.</summary>
    public static void MapApiDocument(this WebApplication app)
    {
        app.MapOpenApi(DocumentPath).Add(endpoint =>
        {
            var write = endpoint.RequestDelegate!;
            endpoint.RequestDelegate = async http =>
            {
                await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding); // the first one takes long, see SocketThreads
                await write(http);
            };
            endpoint.Metadata.Add(ForOwners.Instance);
        });
        var messages = new Lazy<Task<JsonObject>>(() => MessagesAsync(app.Services));
        app.MapGet(AsyncApiPath, async http =>
        {
            http.Response.ContentType = "application/json";
            await http.Response.WriteAsync((await messages.Value).ToJsonString(Indented), http.RequestAborted);
        }).WithMetadata(ForOwners.Instance);
        app.MapGet($"{HostAndOriginPolicy.PagesPath}/messages", async http =>
        {
            http.Response.ContentType = "text/html; charset=utf-8";
            await http.Response.WriteAsync(MessagesPage.Of(await messages.Value, AsyncApiPath), http.RequestAborted);
        }).WithMetadata(ForOwners.Instance);
        // Only below its own path: it would look at every request with regular expressions.
        app.UseWhen(context => context.Request.Path.StartsWithSegments(HostAndOriginPolicy.PagesPath), branch => branch.UseSwaggerUI(page =>
        {
            page.RoutePrefix = HostAndOriginPolicy.PagesPath[1..];
            page.DocumentTitle = "mGBA-bridge";
            page.SwaggerEndpoint(DocumentPath, "mGBA-bridge");
            page.EnableTryItOutByDefault();
        }));
    }
}
