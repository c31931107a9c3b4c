using MgbaBridge.Gateway;
using MgbaBridge.Gateway.Compatibility;
using MgbaBridge.Gateway.Emulator;
using MgbaBridge.Gateway.Endpoints;
using MgbaBridge.Gateway.Endpoints.OpenApi;
using MgbaBridge.Gateway.Server;
using MgbaBridge.Gateway.Streaming;
using MgbaBridge.Gateway.Streaming.Sockets;
using Microsoft.AspNetCore.Connections;

var builder = WebApplication.CreateSlimBuilder(args);
BridgeOptions options;
try
{
    options = Settings.Read(builder.Configuration, args);
    builder.AddNames(options);
}
catch (SettingsException exception)
{
    await Console.Error.WriteLineAsync(exception.Message);
    return ExitCodes.BadSettings;
}

// the rooms
builder.AddServer(options);
builder.AddEmulators(options);
builder.Services.AddApiDocument();

var app = builder.Build();

// who may come in, and who is asked to come back elsewhere
app.Use(app.Services.GetRequiredService<Farewell>().InvokeAsync);
app.Use(new Visitors(options.Http).InvokeAsync);
app.UseWebSockets(new WebSocketOptions { KeepAliveInterval = TimeSpan.FromSeconds(15), KeepAliveTimeout = TimeSpan.FromSeconds(30) });

// what exists once
app.MapMetrics();
app.MapEmulators();
app.MapApiDocument();
if (options.Http.Plaintext)
{
    app.MapPlaintext();
}

// what exists for each emulator: once for the first, and once below /i/{id}
foreach (var path in new[] { "", $"/i/{{{Asking.IdRoute}}}" })
{
    var routes = app.MapGroup(path).WithMetadata(app.Services.GetRequiredService<Emulators>(), options.Http);
    routes.MapHealth();
    routes.MapStatus();
    routes.MapEcho();
    routes.MapMemory();
    routes.MapMemoryValues();
    routes.MapKeys();
    routes.MapGame();
    routes.MapRegisters();
    routes.MapScreen();
    routes.MapStates();
    routes.MapFiles();
    routes.MapManyReads();
    routes.MapSearches();
    routes.MapSymbols();
    routes.MapProperties();
    routes.MapValues();
    routes.MapBatch();
    routes.MapWait();
    routes.MapLease();
    routes.MapEvents();
    routes.MapPictureStream();
    routes.MapSocket();
    routes.MapCompatible(options.Compatibility);
}

try
{
    await app.RunAsync();
    return ExitCodes.Done;
}
catch (IOException exception) when (exception.InnerException is AddressInUseException)
{
    await Console.Error.WriteLineAsync($"{exception.Message} Perhaps another gateway runs. Set Bridge:HttpPort (--http-port) to a free port; 0 takes any.");
    return ExitCodes.PortInUse;
}

/// <summary>The gateway.</summary>
public partial class Program;
