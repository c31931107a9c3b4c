using System.Text;
using MgbaBridge.Client.Emulator;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Interfaces.WebPage;
using MgbaBridge.Gateway.Interfaces.Http;
using MgbaBridge.Gateway.Interfaces.Http.Streams;
using MgbaBridge.Gateway.Interfaces.OpenApi;
using MgbaBridge.Gateway.Security;
using MgbaBridge.Gateway.Interfaces.CommandLine;
using MgbaBridge.Gateway.Diagnostics;
using MgbaBridge.Gateway.Hosting;
using MgbaBridge.Gateway.Hosting.HandOver;
using MgbaBridge.Gateway.Interfaces.Mcp.Server;
using MgbaBridge.Gateway.Interfaces.MgbaHttp;
using MgbaBridge.Gateway.Operations.Guests;

if (OperatingSystem.IsWindows())
{
    Console.OutputEncoding = new UTF8Encoding(encoderShouldEmitUTF8Identifier: false); // as elsewhere: the code page of a console lacks letters of paths
}

var (exitCode, settings) = await BridgeCommand.RunAsync(args);
if (settings is null)
{
    return exitCode;
}

SocketThreads.Choose();
using var fileSizeLimit = FileSizeLimit.IgnoreSignal();
WebApplicationBuilder builder;
BridgeOptions options;
try
{
    builder = WebApplication.CreateSlimBuilder(settings);
    options = Settings.Read(builder.Configuration, settings);
    builder.AddNames(options);
    builder.CheckWhereToListen(options);

    // services
    builder.AddLogDefaults();
    builder.AddServer(options);
    RunAnnouncement.AddTo(builder); // before the emulators: it says "Ended." after them
    builder.AddEmulators(options);
    builder.AddFleet(options);
    InputLifetime.AddTo(builder);
    builder.AddTelemetry(options);
    builder.AddMcp(options.Mcp);
    builder.AddDoors(options.Doors);
    builder.Services.AddOperations();
    builder.Services.AddApiDocument();
}
catch (Exception exception) when (StartFailures.IsOfTheSettings(exception))
{
    return await StartFailures.ReportAsync(exception);
}

var app = builder.Build();

// middleware, in the order in which requests pass it
UnreadableRequests.AnswerIn(app);
app.Use(app.Services.GetRequiredService<ConnectionDrain>().InvokeAsync);
app.Use(Correlation.InvokeAsync);
app.Use(new HostAndOriginPolicy(options.Http).InvokeAsync);
app.Use(HeadRequests.InvokeAsync);
app.UseRouting(); // after HEAD became GET
app.UseConventions(options.Http);
app.UseFleet(options);
app.UseWebSockets(new WebSocketOptions { KeepAliveInterval = options.Http.WebSocketPing, KeepAliveTimeout = TimeSpan.FromSeconds(30) });

// endpoints that exist once
_ = app.Services.GetRequiredService<MetricsPage>(); // counts from its creation
_ = app.Services.GetRequiredService<GuestStore>(); // makes the tokens of its file valid
app.MapOperations(isPerEmulator: false);
app.MapApiDocument();
app.MapHomePage();
app.MapMcp(options.Mcp);
app.Use(UnknownPaths.InvokeAsync);
app.MapPlaintext();

// endpoints of an emulator: without a prefix for the first, and below /i/{id} for each
foreach (var path in new[] { "", $"{HttpRequests.EachEmulator}/{{{HttpRequests.IdRoute}}}" })
{
    var routes = app.MapGroup(path).WithMetadata(app.Services.GetRequiredService<EmulatorRegistry>(), app.Services.GetRequiredService<CredentialStore>(), options.Http);
    routes.MapOperations(isPerEmulator: true);
    routes.MapMgbaHttp(options.Compatibility);
}

var supervisor = app.Services.GetRequiredService<Supervisor>(); // which the end of the program disposes of
var (started, stopping) = (app.Lifetime.ApplicationStarted, app.Lifetime.ApplicationStopping);
try
{
    await app.RunAsync();
    return supervisor.HasLostSaves ? ExitCodes.FileError : ExitCodes.Done;
}
catch (OperationCanceledException) when (stopping.IsCancellationRequested && !started.IsCancellationRequested)
{
    return ExitCodes.Done; // it was stopped while it started
}
catch (Exception exception) when (!started.IsCancellationRequested)
{
    return await StartFailures.ReportAsync(exception);
}

/// <summary>The gateway.</summary>
public partial class Program;
